/** Makes rows for tests of logs: the columns of a flight, with values that are hard to preserve. */
import type { Column, Sink } from "@escapement/core";

export const COLUMNS: readonly Column[] = [
  { name: "pos_ned_n_m", unit: "m", about: "True state posNed." },
  { name: "pos_ned_e_m", unit: "m", about: "True state posNed." },
  { name: "wind_ned_d_mps", unit: "m/s", about: "Base wind plus gusts." },
  { name: "armed", unit: "flag", about: "1 while armed." },
];

/** Numbers that lose bits or their sign in a format that does not preserve every double. */
export const HARD_NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.1 + 0.2,
  1 / 3,
  -1e-7,
  123456789.12345678,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  1e21,
  1e22,
  2 ** 53,
  2 ** 53 + 2,
  4294967296.5,
  Math.PI,
];

/** Returns row i of a log: time and values. */
export function hardRow(i: number, width: number): { readonly tUs: number; readonly values: Float64Array } {
  const values = Float64Array.from(
    { length: width },
    (_, column) => HARD_NUMBERS[(i * 7 + column * 3) % HARD_NUMBERS.length]!,
  );
  return { tUs: i * 20_000, values };
}

/** Writes `count` rows, reusing one array as the engine does. */
export async function writeRows(sink: Sink, count: number, columns: readonly Column[] = COLUMNS): Promise<void> {
  sink.open(columns);
  const row = new Float64Array(columns.length);
  for (let i = 0; i < count; i += 1) {
    const { tUs, values } = hardRow(i, columns.length);
    row.set(values);
    sink.row(tUs, row);
    if (sink.isFull) await sink.drain();
  }
  await sink.close();
}

/** Returns the bits of each value, so that −0 differs from 0 and NaN equals itself. */
export function bitsOf(values: ArrayLike<number>): string[] {
  const view = new DataView(new ArrayBuffer(8));
  return Array.from(values, (value) => {
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(16);
  });
}

export function expectedColumn(column: number, count: number, width = COLUMNS.length): number[] {
  return Array.from({ length: count }, (_, i) => hardRow(i, width).values[column]!);
}
