/** The vehicle from above with its real geometry. An arc and a number show the duty of each motor. */
import type { FlightDefinition } from "@escapement/core";
import { ink } from "../../shared/colours.ts";
import { makeDrawing } from "./canvas.ts";
import type { MotorValues } from "./instant.ts";

type Vehicle = FlightDefinition["vehicle"];

/** At or above the high duty, the arc has the warning colour; at or above the limit, it is red. */
const HIGH_DUTY = 0.75;
const LIMIT_DUTY = 0.995;
const DEFAULT_PLACES = [
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
] as const;

export class Motors {
  private readonly canvas = makeDrawing("motors");
  readonly node = this.canvas.node;

  constructor() {
    this.node.setAttribute("aria-hidden", "true");
  }

  paint(vehicle: Vehicle | undefined, motors: readonly MotorValues[]): void {
    this.node.hidden = motors.length === 0;
    this.canvas.draw((context, width, height) => {
      const places = placesOf(vehicle, motors.length);
      const radius = (Math.min(width, height) / 2) * (motors.length > 6 ? 0.225 : motors.length > 4 ? 0.27 : 0.34);
      const reach = (axis: 0 | 1) => Math.max(...places.map((place) => Math.abs(place[axis])), 1e-6);
      const scale = Math.min((width / 2 - radius - 6) / reach(1), (height / 2 - radius - 6) / reach(0));
      context.translate(width / 2, height / 2);
      drawFrame(context, places, scale);
      places.forEach(([x, y], i) => {
        const motor = motors[i];
        // The vehicle's forward axis points up on the screen.
        if (motor !== undefined) drawMotor(context, y * scale, -x * scale, radius, motor);
      });
    });
  }
}

function placesOf(vehicle: Vehicle | undefined, count: number): readonly (readonly [number, number])[] {
  if (vehicle !== undefined && vehicle.rotors.length === count) {
    return vehicle.rotors.map(({ positionM }) => [positionM[0]!, positionM[1]!]);
  }
  if (count === DEFAULT_PLACES.length) return DEFAULT_PLACES;
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / count;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}

function drawFrame(
  context: CanvasRenderingContext2D,
  places: readonly (readonly [number, number])[],
  scale: number,
): void {
  context.strokeStyle = ink("quiet");
  context.globalAlpha = 0.6;
  context.lineWidth = 1.6;
  context.beginPath();
  for (const [x, y] of places) {
    context.moveTo(0, 0);
    context.lineTo(y * scale, -x * scale);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = ink("trouble");
  context.beginPath();
  context.moveTo(0, -9);
  context.lineTo(-5.5, 3);
  context.lineTo(5.5, 3);
  context.fill();
}

function drawMotor(context: CanvasRenderingContext2D, x: number, y: number, radius: number, motor: MotorValues): void {
  const { duty, isDead, isFaulty } = motor;
  const colour = isDead ? ink("limit") : dutyColour(duty);
  context.fillStyle = ink("panel");
  context.globalAlpha = 0.88;
  circle(context, x, y, radius);
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = radius * 0.17;
  context.strokeStyle = ink("line");
  circle(context, x, y, radius);
  context.stroke();
  context.strokeStyle = colour;
  context.lineCap = "round";
  context.beginPath();
  if (isDead) circle(context, x, y, radius);
  else context.arc(x, y, radius, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.min(1, Math.max(0, duty)));
  if (isDead || duty > 0) context.stroke();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `600 ${Math.round(radius * 0.62)}px system-ui, sans-serif`;
  context.fillStyle = isDead || duty >= LIMIT_DUTY ? ink("limit") : ink("text");
  if (isDead) drawCross(context, x, y, radius * 0.36);
  else context.fillText(dutyText(duty), x, y + 0.5);
  if (!isFaulty) return;
  context.fillStyle = ink("trouble");
  context.font = `${Math.round(radius * 0.5)}px system-ui, sans-serif`;
  context.fillText("▲", x + radius * 0.85, y - radius * 0.85);
}

/** Draws a cross with lines, because a cross as text has a different size in every font. */
function drawCross(context: CanvasRenderingContext2D, x: number, y: number, half: number): void {
  context.lineWidth = half * 0.42;
  context.beginPath();
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x + half, y - half);
  context.lineTo(x - half, y + half);
  context.stroke();
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function dutyText(duty: number): string {
  return Number.isNaN(duty) ? "–" : String(Math.round(100 * duty));
}

function dutyColour(duty: number): string {
  if (duty >= LIMIT_DUTY) return ink("limit");
  return ink(duty >= HIGH_DUTY ? "warn" : "accent");
}
