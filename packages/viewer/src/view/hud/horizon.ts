/** The artificial horizon: sky and ground, a pitch ladder every 10°, the roll pointer, and the heading as a number. */
import { makeDrawing } from "./canvas.ts";

const SKY = "#2a6a9c";
const EARTH = "#5b422c";
const DEG_PER_RADIUS = 38;
const LADDER_DEG = 10;

interface Attitude {
  readonly rollDeg: number;
  readonly pitchDeg: number;
  readonly yawDeg: number;
}

export class Horizon {
  private readonly canvas = makeDrawing("horizon");
  readonly node = this.canvas.node;

  constructor() {
    this.node.setAttribute("aria-hidden", "true");
  }

  paint({ rollDeg, pitchDeg, yawDeg }: Attitude, ring: string): void {
    this.canvas.draw((context, width) => {
      const radius = width / 2 - 5;
      context.translate(width / 2, width / 2);
      drawBall(context, radius, rollDeg, pitchDeg);
      drawRollScale(context, radius, rollDeg, ring);
      drawAircraft(context, radius);
      drawHeading(context, radius, yawDeg);
    });
  }
}

function drawBall(context: CanvasRenderingContext2D, radius: number, rollDeg: number, pitchDeg: number): void {
  context.save();
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.clip();
  context.rotate((-rollDeg * Math.PI) / 180);
  const perDeg = radius / DEG_PER_RADIUS;
  const level = pitchDeg * perDeg;
  context.fillStyle = SKY;
  context.fillRect(-2 * radius, -4 * radius + level, 4 * radius, 4 * radius);
  context.fillStyle = EARTH;
  context.fillRect(-2 * radius, level, 4 * radius, 4 * radius);
  context.strokeStyle = "#ffffff";
  context.lineWidth = 1.6;
  context.beginPath();
  context.moveTo(-2 * radius, level);
  context.lineTo(2 * radius, level);
  context.stroke();
  context.lineWidth = 1.1;
  context.strokeStyle = "#ffffffcc";
  for (let deg = -90; deg <= 90; deg += LADDER_DEG) {
    const y = level - deg * perDeg;
    if (deg === 0 || Math.abs(y) > radius) continue;
    const half = radius * (deg % 20 === 0 ? 0.28 : 0.17);
    context.beginPath();
    context.moveTo(-half, y);
    context.lineTo(half, y);
    context.stroke();
  }
  context.restore();
}

function drawRollScale(context: CanvasRenderingContext2D, radius: number, rollDeg: number, ring: string): void {
  context.strokeStyle = ring;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(0, 0, radius + 1, 0, 2 * Math.PI);
  context.stroke();
  context.fillStyle = "#ffffff";
  context.save();
  context.rotate((-rollDeg * Math.PI) / 180);
  triangle(context, 0, -radius + 9, 4.5, -1);
  context.restore();
  context.fillStyle = "#ffb454";
  triangle(context, 0, -radius - 3, 4.5, 1);
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, size: number, down: number): void {
  context.beginPath();
  context.moveTo(x, y + down * size);
  context.lineTo(x - size, y - down * size * 0.7);
  context.lineTo(x + size, y - down * size * 0.7);
  context.fill();
}

function drawAircraft(context: CanvasRenderingContext2D, radius: number): void {
  context.strokeStyle = "#ffb454";
  context.lineWidth = 2.6;
  context.lineCap = "round";
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(side * radius * 0.58, 0);
    context.lineTo(side * radius * 0.24, 0);
    context.lineTo(side * radius * 0.14, radius * 0.1);
  }
  context.stroke();
  context.fillStyle = "#ffb454";
  context.beginPath();
  context.arc(0, 0, 2.2, 0, 2 * Math.PI);
  context.fill();
}

function drawHeading(context: CanvasRenderingContext2D, radius: number, yawDeg: number): void {
  const heading = ((Math.round(yawDeg) % 360) + 360) % 360;
  const text = `${String(heading).padStart(3, "0")}°`;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillStyle = "#0d1218b0";
  context.beginPath();
  context.roundRect(-19, radius * 0.64, 38, 16, 5);
  context.fill();
  context.fillStyle = "#ffffff";
  context.fillText(text, 1.5, radius * 0.64 + 12);
}
