/**
 * Draws the air as streaks around the vehicle that move with the true wind of the flight.
 *
 * The displacement of the air is the integral of the wind up to the instant. So streaks stand still while playback is
 * paused, move backwards when time does, and look the same whenever the same instant is shown.
 */
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";
import type { RowsStore } from "../data/rows-store.ts";
import type { Palette } from "./palette.ts";

const STREAKS = 140;
/** Half the side, and the height, of the box that contains the streaks. */
const REACH_M = 14;
const HEIGHT_M = 9;
/** A streak is as long as the distance that the air moves in this time. */
const LENGTH_S = 0.11;

export class Wind {
  readonly node: LineSegments;
  private readonly seeds: Float32Array;
  private readonly positions = new Float32Array(STREAKS * 6);
  private readonly colours = new Float32Array(STREAKS * 6);
  private readonly material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75 });
  private drift: { readonly rows: RowsStore; count: number; sums: Float64Array } | undefined;
  private readonly colour = new Color();

  constructor() {
    this.seeds = seededPlaces(STREAKS);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions, 3));
    geometry.setAttribute("color", new BufferAttribute(this.colours, 3));
    this.node = new LineSegments(geometry, this.material);
    this.node.frustumCulled = false;
  }

  /** Shows the air around `centre` at the instant `at`, a position between two rows. */
  show(
    rows: RowsStore,
    at: { readonly row: number; readonly fraction: number },
    air: { readonly wind: ArrayLike<number>; readonly gustMps: number },
    centre: ArrayLike<number>,
    palette: Palette,
  ): void {
    const speed = Math.hypot(air.wind[0]!, air.wind[1]!, air.wind[2]!);
    this.node.visible = at.row >= 0 && speed > 0.05;
    if (!this.node.visible) return;
    const moved = isMotionReduced() ? [0, 0, 0] : this.displacement(rows, at);
    const length = Math.max(LENGTH_S, 0.25 / speed);
    const warm = Math.min(1, air.gustMps / 8);
    this.colour.copy(palette.streak).lerp(palette.gust, warm);
    this.material.opacity = Math.min(0.7, 0.24 + 0.04 * speed);
    for (let i = 0; i < STREAKS; i += 1) this.place(i, moved, air.wind, length, centre);
    this.node.geometry.getAttribute("position").needsUpdate = true;
    this.node.geometry.getAttribute("color").needsUpdate = true;
  }

  dispose(): void {
    this.node.geometry.dispose();
    this.material.dispose();
  }

  private place(
    i: number,
    moved: readonly number[],
    wind: ArrayLike<number>,
    length: number,
    centre: ArrayLike<number>,
  ): void {
    for (let axis = 0; axis < 3; axis += 1) {
      const box = axis === 2 ? HEIGHT_M : 2 * REACH_M;
      const corner = centre[axis]! - box / 2;
      const at = corner + positiveRemainder(this.seeds[3 * i + axis]! * box + moved[axis]! - corner, box);
      // Keep streaks above the ground.
      const start = axis === 2 ? Math.min(at, -0.05) : at;
      this.positions[6 * i + axis] = start;
      this.positions[6 * i + 3 + axis] = start - wind[axis]! * length;
    }
    const { r, g, b } = this.colour;
    // Fade the tail.
    this.colours.set([r, g, b, r * 0.25, g * 0.25, b * 0.25], 6 * i);
  }

  /** Returns how far the air has moved since the start of the flight. */
  private displacement(
    rows: RowsStore,
    { row, fraction }: { readonly row: number; readonly fraction: number },
  ): number[] {
    if (this.drift?.rows !== rows) this.drift = { rows, count: 0, sums: new Float64Array(0) };
    const { drift } = this;
    if (drift.count <= row + 1) this.integrate(drift);
    return [0, 1, 2].map((axis) => {
      const before = drift.sums[3 * row + axis] ?? 0;
      const after = drift.sums[3 * (row + 1) + axis] ?? before;
      return before + fraction * (after - before);
    });
  }

  private integrate(drift: { readonly rows: RowsStore; count: number; sums: Float64Array }): void {
    const { rows } = drift;
    const places = [0, 1, 2].map((i) => rows.place("windNed", i));
    const sums = new Float64Array(3 * rows.count);
    for (let row = 1; row < rows.count; row += 1) {
      const stepS = (rows.timeUs(row) - rows.timeUs(row - 1)) / 1e6;
      for (let axis = 0; axis < 3; axis += 1) {
        const wind = rows.value(places[axis]!, row - 1);
        sums[3 * row + axis] = sums[3 * (row - 1) + axis]! + (Number.isNaN(wind) ? 0 : wind * stepS);
      }
    }
    drift.count = rows.count;
    drift.sums = sums;
  }
}

/** Whether the reader's system is set to reduce motion. Streaks then show the wind, but do not drift. */
function isMotionReduced(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function positiveRemainder(value: number, of: number): number {
  return value - of * Math.floor(value / of);
}

/** Returns places from an additive recurrence, which fills the box evenly and is the same in every session. */
function seededPlaces(count: number): Float32Array {
  const steps = [0.8191725134, 0.6710436067, 0.5497004779];
  return Float32Array.from({ length: 3 * count }, (_, i) => ((Math.floor(i / 3) + 0.5) * steps[i % 3]!) % 1);
}
