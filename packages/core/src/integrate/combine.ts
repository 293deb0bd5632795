/**
 * The inner loops of every Runge–Kutta method: out = base + Σ wⱼ kⱼ over whole state vectors.
 *
 * The loops are unrolled for one to seven terms, because a loop over terms inside the loop over components doubles the
 * cost. V8 looks up every array in each iteration, so all slopes are in one array and short sums process four
 * components at a time. Terms are added in the tableau's order and the base last. This fixes the bits, so that compiled
 * straight-line code can reproduce them.
 */

/** The slopes to sum: the non-zero coefficients of one row of a tableau. */
export interface Row {
  readonly coefficients: Float64Array;
  /** The coefficients times the step size. */
  readonly weights: Float64Array;
  /** Offsets of the slopes. */
  readonly at: Int32Array;
}

/** Adds weighted slopes to `base`; `out` may be `base`. */
export function combineInto(out: Float64Array, base: Float64Array, slopes: Float64Array, row: Row): void {
  switch (row.at.length) {
    case 1:
      return combine1(out, base, slopes, row);
    case 2:
      return combine2(out, base, slopes, row);
    case 3:
      return combine3(out, base, slopes, row);
    case 4:
      return combine4(out, base, slopes, row);
    case 5:
      return combine5(out, base, slopes, row);
    case 6:
      return combine6(out, base, slopes, row);
    case 7:
      return combine7(out, base, slopes, row);
    default:
      return combineAny(out, base, slopes, row);
  }
}

function combine1(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const w0 = weights[0]!;
  const n = out.length;
  let i = 0;
  for (; i < n - 3; i += 4) {
    out[i] = base[i]! + w0 * slopes[a0 + i]!;
    out[i + 1] = base[i + 1]! + w0 * slopes[a0 + i + 1]!;
    out[i + 2] = base[i + 2]! + w0 * slopes[a0 + i + 2]!;
    out[i + 3] = base[i + 3]! + w0 * slopes[a0 + i + 3]!;
  }
  for (; i < n; i += 1) out[i] = base[i]! + w0 * slopes[a0 + i]!;
}

function combine2(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const n = out.length;
  let i = 0;
  for (; i < n - 3; i += 4) {
    out[i] = base[i]! + (w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]!);
    out[i + 1] = base[i + 1]! + (w0 * slopes[a0 + i + 1]! + w1 * slopes[a1 + i + 1]!);
    out[i + 2] = base[i + 2]! + (w0 * slopes[a0 + i + 2]! + w1 * slopes[a1 + i + 2]!);
    out[i + 3] = base[i + 3]! + (w0 * slopes[a0 + i + 3]! + w1 * slopes[a1 + i + 3]!);
  }
  for (; i < n; i += 1) out[i] = base[i]! + (w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]!);
}

function combine3(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const a2 = at[2]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const n = out.length;
  let i = 0;
  for (; i < n - 3; i += 4) {
    out[i] = base[i]! + (w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!);
    out[i + 1] = base[i + 1]! + (w0 * slopes[a0 + i + 1]! + w1 * slopes[a1 + i + 1]! + w2 * slopes[a2 + i + 1]!);
    out[i + 2] = base[i + 2]! + (w0 * slopes[a0 + i + 2]! + w1 * slopes[a1 + i + 2]! + w2 * slopes[a2 + i + 2]!);
    out[i + 3] = base[i + 3]! + (w0 * slopes[a0 + i + 3]! + w1 * slopes[a1 + i + 3]! + w2 * slopes[a2 + i + 3]!);
  }
  for (; i < n; i += 1) out[i] = base[i]! + (w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!);
}

function combine4(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const a2 = at[2]!;
  const a3 = at[3]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const n = out.length;
  for (let i = 0; i < n; i += 1) {
    const low = w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!;
    out[i] = base[i]! + (low + w3 * slopes[a3 + i]!);
  }
}

function combine5(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const a2 = at[2]!;
  const a3 = at[3]!;
  const a4 = at[4]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  const n = out.length;
  for (let i = 0; i < n; i += 1) {
    const low = w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!;
    out[i] = base[i]! + (low + w3 * slopes[a3 + i]! + w4 * slopes[a4 + i]!);
  }
}

function combine6(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const a2 = at[2]!;
  const a3 = at[3]!;
  const a4 = at[4]!;
  const a5 = at[5]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  const w5 = weights[5]!;
  const n = out.length;
  for (let i = 0; i < n; i += 1) {
    const low = w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!;
    out[i] = base[i]! + (low + w3 * slopes[a3 + i]! + w4 * slopes[a4 + i]! + w5 * slopes[a5 + i]!);
  }
}

function combine7(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  const a0 = at[0]!;
  const a1 = at[1]!;
  const a2 = at[2]!;
  const a3 = at[3]!;
  const a4 = at[4]!;
  const a5 = at[5]!;
  const a6 = at[6]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  const w5 = weights[5]!;
  const w6 = weights[6]!;
  const n = out.length;
  for (let i = 0; i < n; i += 1) {
    const low = w0 * slopes[a0 + i]! + w1 * slopes[a1 + i]! + w2 * slopes[a2 + i]!;
    out[i] =
      base[i]! + (low + w3 * slopes[a3 + i]! + w4 * slopes[a4 + i]! + w5 * slopes[a5 + i]! + w6 * slopes[a6 + i]!);
  }
}

function combineAny(out: Float64Array, base: Float64Array, slopes: Float64Array, { at, weights }: Row): void {
  for (let i = 0; i < out.length; i += 1) {
    let sum = 0;
    for (let j = 0; j < at.length; j += 1) sum += weights[j]! * slopes[at[j]! + i]!;
    out[i] = base[i]! + sum;
  }
}
