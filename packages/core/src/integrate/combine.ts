/**
 * The inner loops of every Runge–Kutta method: out = base + Σ wⱼ kⱼ over whole state vectors.
 *
 * Written out for one to seven terms, because a loop over terms inside the loop over components doubles its cost. The
 * weights travel in an array, for fractions passed through a call may be boxed. Terms are added in the order given and
 * the base last, which fixes the bits for whoever writes the same sum as straight-line code.
 */

type Slopes = readonly Float64Array[];

/** `out` may be `base`. */
export function combineInto(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  switch (slopes.length) {
    case 1:
      return combine1(out, base, slopes, weights);
    case 2:
      return combine2(out, base, slopes, weights);
    case 3:
      return combine3(out, base, slopes, weights);
    case 4:
      return combine4(out, base, slopes, weights);
    case 5:
      return combine5(out, base, slopes, weights);
    case 6:
      return combine6(out, base, slopes, weights);
    case 7:
      return combine7(out, base, slopes, weights);
    default:
      return combineAny(out, base, slopes, weights);
  }
}

function combine1(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const w0 = weights[0]!;
  for (let i = 0; i < out.length; i += 1) out[i] = base[i]! + w0 * k0[i]!;
}

function combine2(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  for (let i = 0; i < out.length; i += 1) out[i] = base[i]! + (w0 * k0[i]! + w1 * k1[i]!);
}

function combine3(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const k2 = slopes[2]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  for (let i = 0; i < out.length; i += 1) out[i] = base[i]! + (w0 * k0[i]! + w1 * k1[i]! + w2 * k2[i]!);
}

function combine4(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const k2 = slopes[2]!;
  const k3 = slopes[3]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  for (let i = 0; i < out.length; i += 1) {
    out[i] = base[i]! + (w0 * k0[i]! + w1 * k1[i]! + w2 * k2[i]! + w3 * k3[i]!);
  }
}

function combine5(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const k2 = slopes[2]!;
  const k3 = slopes[3]!;
  const k4 = slopes[4]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  for (let i = 0; i < out.length; i += 1) {
    out[i] = base[i]! + (w0 * k0[i]! + w1 * k1[i]! + w2 * k2[i]! + w3 * k3[i]! + w4 * k4[i]!);
  }
}

function combine6(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const k2 = slopes[2]!;
  const k3 = slopes[3]!;
  const k4 = slopes[4]!;
  const k5 = slopes[5]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  const w5 = weights[5]!;
  for (let i = 0; i < out.length; i += 1) {
    out[i] = base[i]! + (w0 * k0[i]! + w1 * k1[i]! + w2 * k2[i]! + w3 * k3[i]! + w4 * k4[i]! + w5 * k5[i]!);
  }
}

function combine7(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  const k0 = slopes[0]!;
  const k1 = slopes[1]!;
  const k2 = slopes[2]!;
  const k3 = slopes[3]!;
  const k4 = slopes[4]!;
  const k5 = slopes[5]!;
  const k6 = slopes[6]!;
  const w0 = weights[0]!;
  const w1 = weights[1]!;
  const w2 = weights[2]!;
  const w3 = weights[3]!;
  const w4 = weights[4]!;
  const w5 = weights[5]!;
  const w6 = weights[6]!;
  for (let i = 0; i < out.length; i += 1) {
    const low = w0 * k0[i]! + w1 * k1[i]! + w2 * k2[i]! + w3 * k3[i]!;
    out[i] = base[i]! + (low + w4 * k4[i]! + w5 * k5[i]! + w6 * k6[i]!);
  }
}

function combineAny(out: Float64Array, base: Float64Array, slopes: Slopes, weights: Float64Array): void {
  for (let i = 0; i < out.length; i += 1) {
    let sum = 0;
    for (let j = 0; j < slopes.length; j += 1) sum += weights[j]! * slopes[j]![i]!;
    out[i] = base[i]! + sum;
  }
}
