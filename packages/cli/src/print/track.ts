/**
 * Draws small pictures of the flight with braille dots.
 *
 * A character has two by four dots. The ground track has the same scale on both axes, north up; the altitude fills its
 * box. Marks are ordinary characters over the dots.
 */
import type { Track } from "@escapement/core";

const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

export interface Mark {
  readonly tUs: number;
  readonly text: string;
}

/** A grid of dots with characters over it. */
class DotCanvas {
  private readonly columns: number;
  private readonly cells: Uint8Array[];
  private readonly over = new Map<string, string>();

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.cells = Array.from({ length: rows }, () => new Uint8Array(columns));
  }

  /** Draws a line of dots, so that fast sections have no gaps. */
  line(x0: number, y0: number, x1: number, y1: number): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i += 1) this.dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps);
  }

  mark(x: number, y: number, text: string): void {
    const [column, row] = [Math.round(x) >> 1, Math.round(y) >> 2];
    if (!this.over.has(`${column},${row}`)) this.over.set(`${column},${row}`, text);
  }

  lines(): string[] {
    return this.cells.map((row, y) =>
      Array.from(
        row,
        (dots, x) => this.over.get(`${x},${y}`) ?? (dots === 0 ? " " : String.fromCharCode(0x2800 + dots)),
      ).join(""),
    );
  }

  private dot(x: number, y: number): void {
    const [column, line] = [Math.round(x), Math.round(y)];
    const row = this.cells[line >> 2];
    if (row !== undefined && column >= 0 && column >> 1 < this.columns)
      row[column >> 1]! |= DOTS[line & 3]![column & 1]!;
  }
}

interface TrackDrawing {
  readonly lines: readonly string[];
  /** Length of the drawing's longer side in metres. */
  readonly sizeM: number;
}

export function drawTrack(track: Track, columns: number, rows: number, marks: readonly Mark[] = []): TrackDrawing {
  const { north, east } = track;
  const [north0, north1] = range(north);
  const [east0, east1] = range(east);
  const sizeM = Math.max(north1 - north0, east1 - east0, 1e-3);
  const dotsPerM = Math.min(
    (2 * columns - 1) / Math.max(east1 - east0, 1e-3),
    (4 * rows - 1) / Math.max(north1 - north0, 1e-3),
  );
  const left = Math.floor((2 * columns - 1 - (east1 - east0) * dotsPerM) / 2);
  const top = Math.floor((4 * rows - 1 - (north1 - north0) * dotsPerM) / 2);
  const x = (i: number) => left + (east[i]! - east0) * dotsPerM;
  const y = (i: number) => top + (north1 - north[i]!) * dotsPerM;
  return { lines: drawPath(track, columns, rows, marks, x, y), sizeM };
}

export function drawAltitude(track: Track, columns: number, rows: number, marks: readonly Mark[] = []): string[] {
  const { timesUs, altitude } = track;
  const [low, high] = range(altitude);
  const spanUs = Math.max(1, timesUs[timesUs.length - 1]! - timesUs[0]!);
  const x = (i: number) => ((2 * columns - 1) * (timesUs[i]! - timesUs[0]!)) / spanUs;
  const y = (i: number) => ((4 * rows - 1) * (high - altitude[i]!)) / Math.max(high - low, 1e-3);
  return drawPath(track, columns, rows, marks, x, y);
}

type Coordinate = (index: number) => number;

function drawPath(
  { timesUs }: Track,
  columns: number,
  rows: number,
  marks: readonly Mark[],
  x: Coordinate,
  y: Coordinate,
): string[] {
  const canvas = new DotCanvas(columns, rows);
  for (let i = 1; i < timesUs.length; i += 1) canvas.line(x(i - 1), y(i - 1), x(i), y(i));
  for (const { tUs, text } of marks) {
    const at = timesUs.findIndex((time) => time >= tUs);
    if (timesUs.length > 0) canvas.mark(x(at < 0 ? timesUs.length - 1 : at), y(at < 0 ? timesUs.length - 1 : at), text);
  }
  return canvas.lines();
}

function range(values: ArrayLike<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i += 1) {
    low = Math.min(low, values[i]!);
    high = Math.max(high, values[i]!);
  }
  return low <= high ? [low, high] : [0, 0];
}
