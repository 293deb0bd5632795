/**
 * The card of a built-in flight on the start page: its track, which is really flown, with outcome, duration and
 * vehicle.
 */
import { flightColour, ink } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { makeDrawing } from "../hud/canvas.ts";
import type { Store } from "../store/store.ts";

interface Sketch {
  readonly trackNed: Float32Array;
  readonly isCompleted: boolean;
}

/** The direction of view: from the south-east and above. */
const AZIMUTH = 0.62;
const ELEVATION = 0.5;

export class FlightCard {
  readonly node = element("button", "flight-card");
  private readonly name: string;
  private readonly store: Store;
  private readonly canvas = makeDrawing("");
  private readonly about = element("span", "about");
  private readonly facts = element("span", "facts", "flying …");
  private found: Sketch | undefined;

  constructor(name: string, store: Store) {
    this.name = name;
    this.store = store;
    this.canvas.node.setAttribute("aria-hidden", "true");
    this.node.append(this.canvas.node, element("b", "", name), this.about, this.facts);
    this.node.addEventListener("click", () => void store.openBuiltIn(name));
  }

  /** Flies the flight once to get its track. */
  async sketch(): Promise<void> {
    const text = `extends = "${this.name}"\n`;
    const answer = await this.store.sketch(text, (about) => (this.about.textContent = about)).catch(() => undefined);
    if (answer === undefined) {
      this.facts.textContent = "";
      return;
    }
    const { trackNed, outcome, endUs, vehicle } = answer;
    const isCompleted = outcome === "completed";
    this.found = { trackNed, isCompleted };
    this.facts.replaceChildren(
      element("i", isCompleted ? "dot good" : "dot bad"),
      [outcome, `${(endUs / 1e6).toFixed(0)} s`, vehicle].join(" · "),
    );
  }

  paint(isDark: boolean): void {
    const { found } = this;
    if (found === undefined) return;
    this.canvas.draw((context, width, height) => {
      const points = project(found.trackNed);
      const ground = project(found.trackNed.map((value, i) => (i % 3 === 2 ? 0 : value)));
      const fit = fitInto([...points, ...ground], width, height);
      context.globalAlpha = 0.35;
      stroke(context, ground.map(fit), ink("quiet"), 1.4);
      context.globalAlpha = 1;
      stroke(context, points.map(fit), flightColour(0, isDark), 1.8);
      const last = points.at(-1);
      if (last === undefined) return;
      const [x, y] = fit(last);
      context.fillStyle = ink(found.isCompleted ? "good" : "trouble");
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fill();
    });
  }
}

type Point = readonly [x: number, y: number];

function project(track: Float32Array): Point[] {
  return Array.from({ length: track.length / 3 }, (_, i) => {
    const [north, east, down] = [track[3 * i]!, track[3 * i + 1]!, track[3 * i + 2]!];
    const right = east * Math.cos(AZIMUTH) + north * Math.sin(AZIMUTH);
    const away = north * Math.cos(AZIMUTH) - east * Math.sin(AZIMUTH);
    return [right, -(away * Math.sin(ELEVATION) - down * Math.cos(ELEVATION))];
  });
}

/** Returns the function that moves and scales points into a box, with the same scale for both axes. */
function fitInto(points: readonly Point[], width: number, height: number): (point: Point) => Point {
  const range = ([0, 1] as const).map((axis) => {
    const values = points.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)] as const;
  });
  const [[left, right], [top, bottom]] = range as [readonly [number, number], readonly [number, number]];
  const scale = Math.min((width - 24) / Math.max(1, right - left), (height - 16) / Math.max(1, bottom - top));
  return ([x, y]) => [width / 2 + (x - (left + right) / 2) * scale, height / 2 + (y - (top + bottom) / 2) * scale];
}

function stroke(context: CanvasRenderingContext2D, points: readonly Point[], colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}
