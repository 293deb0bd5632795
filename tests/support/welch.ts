/**
 * Estimates power spectra by Welch's method, for tests of turbulence: Hann windows, half overlap, one-sided density in
 * units²/Hz.
 */

/** Computes a radix-2 Fourier transform in place. */
function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j]!, re[i]!];
      [im[i], im[j]] = [im[j]!, im[i]!];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k += 1) {
      const angle = (-2 * Math.PI * k) / size;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      for (let i = k; i < n; i += size) {
        const j = i + half;
        const tr = c * re[j]! - s * im[j]!;
        const ti = c * im[j]! + s * re[j]!;
        re[j] = re[i]! - tr;
        im[j] = im[i]! - ti;
        re[i]! += tr;
        im[i]! += ti;
      }
    }
  }
}

/** Returns the density at k/(segment·dt), k = 0 … segment/2. `segment` is a power of two. */
export function welch(samples: Float64Array, options: { dtS: number; segment: number }): Float64Array {
  const { dtS, segment } = options;
  const density = new Float64Array(segment / 2 + 1);
  const window = Float64Array.from({ length: segment }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / segment));
  const power = window.reduce((sum, w) => sum + w * w, 0);
  let count = 0;
  for (let at = 0; at + segment <= samples.length; at += segment / 2) {
    const re = Float64Array.from(window, (w, i) => w * samples[at + i]!);
    const im = new Float64Array(segment);
    fft(re, im);
    for (let k = 0; k < density.length; k += 1) density[k]! += 2 * (re[k]! * re[k]! + im[k]! * im[k]!);
    count += 1;
  }
  return density.map((sum) => (sum * dtS) / (power * count));
}

/** Returns the mean density over [from, to) Hz. */
export function bandMean(density: Float64Array, options: { dtS: number; fromHz: number; toHz: number }): number {
  const stepHz = 1 / (options.dtS * 2 * (density.length - 1));
  const first = Math.ceil(options.fromHz / stepHz);
  const end = Math.ceil(options.toHz / stepHz);
  let sum = 0;
  for (let k = first; k < end; k += 1) sum += density[k]!;
  return sum / (end - first);
}
