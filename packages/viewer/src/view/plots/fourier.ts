/** Amplitude spectrum of a signal by discrete Fourier transform with a Hann window. */

interface Spectrum {
  readonly frequenciesHz: Float64Array;
  /** Amplitude of the sine at each frequency, in the unit of the signal. */
  readonly values: Float64Array;
}

/** Lower bound of the amplitudes, because a logarithmic axis cannot show zero. */
const MIN_AMPLITUDE = 1e-12;

/**
 * Computes the spectrum. `stepS` is the time between two samples. The mean is removed first; then gaps are set to 0.
 */
export function amplitudes(samples: Float64Array, stepS: number): Spectrum {
  const finite = samples.filter((value) => Number.isFinite(value));
  const mean = finite.reduce((sum, value) => sum + value, 0) / Math.max(1, finite.length);
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, samples.length)));
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  let windowSum = 0;
  samples.forEach((value, i) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (samples.length - 1));
    windowSum += weight;
    re[i] = Number.isFinite(value) ? (value - mean) * weight : 0;
  });
  transform(re, im);
  const count = size / 2 - 1;
  return {
    frequenciesHz: Float64Array.from({ length: count }, (_, i) => (i + 1) / (size * stepS)),
    values: Float64Array.from({ length: count }, (_, i) =>
      Math.max(MIN_AMPLITUDE, (2 * Math.hypot(re[i + 1]!, im[i + 1]!)) / windowSum),
    ),
  };
}

/** Computes the Cooley–Tukey transform in place; the length must be a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  reorder(re, im);
  const size = re.length;
  for (let length = 2; length <= size; length *= 2) {
    const angle = (-2 * Math.PI) / length;
    for (let i = 0; i < length / 2; i += 1) {
      const [c, s] = [Math.cos(angle * i), Math.sin(angle * i)];
      for (let a = i; a < size; a += length) {
        const b = a + length / 2;
        const [x, y] = [re[b]! * c - im[b]! * s, re[b]! * s + im[b]! * c];
        re[b] = re[a]! - x;
        im[b] = im[a]! - y;
        re[a]! += x;
        im[a]! += y;
      }
    }
  }
}

/** Swaps each element with the one at the bit-reversed index. */
function reorder(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j]!, re[i]!];
    [im[i], im[j]] = [im[j]!, im[i]!];
  }
}
