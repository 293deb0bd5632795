/**
 * The ground track as a small drawing of braille dots: a person sees the flight at once.
 *
 * Two by four dots a character; the drawing keeps the scale of both axes equal, north up.
 */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

export interface Track {
  readonly north: ArrayLike<number>;
  readonly east: ArrayLike<number>;
}

export interface TrackDrawing {
  readonly lines: readonly string[];
  /** Width and height of the drawing in metres. */
  readonly sizeM: number;
}

export function drawTrack({ north, east }: Track, columns: number, rows: number): TrackDrawing {
  const [north0, north1] = range(north);
  const [east0, east1] = range(east);
  const sizeM = Math.max(north1 - north0, east1 - east0, 1e-3);
  const dotsPerM = Math.min((2 * columns - 1) / sizeM, (4 * rows - 1) / sizeM);
  const left = Math.floor((2 * columns - 1 - (east1 - east0) * dotsPerM) / 2);
  const top = Math.floor((4 * rows - 1 - (north1 - north0) * dotsPerM) / 2);
  const cells = Array.from({ length: rows }, () => new Uint8Array(columns));
  for (let i = 0; i < north.length; i += 1) {
    const x = left + Math.round((east[i]! - east0) * dotsPerM);
    const y = top + Math.round((north1 - north[i]!) * dotsPerM);
    const row = cells[y >> 2];
    if (row !== undefined && x >> 1 < columns) row[x >> 1]! |= DOTS[y & 3]![x & 1]!;
  }
  return { lines: cells.map((row) => Array.from(row, (dots) => (dots === 0 ? " " : String.fromCharCode(0x2800 + dots))).join("")), sizeM };
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
