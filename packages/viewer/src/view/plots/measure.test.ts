/**
 * Compares the numbers between two marks and spectra with numpy 2 and scipy 1.17 (`scipy.signal.step`,
 * `numpy.fft.rfft`).
 */
import { describe, expect, it } from "vitest";
import { amplitudes } from "./fourier.ts";
import { measure } from "./measure.ts";

/** Returns the step response of 9 / (s² + 2.4 s + 9). */
function stepResponse(): { readonly timesS: number[]; readonly values: number[] } {
  const timesS = Array.from({ length: 201 }, (_, i) => i * 0.02);
  const [damping, natural] = [0.4, 3];
  const damped = natural * Math.sqrt(1 - damping * damping);
  const values = timesS.map((t) => {
    const decay = Math.exp(-damping * natural * t);
    return 1 - decay * (Math.cos(damped * t) + ((damping * natural) / damped) * Math.sin(damped * t));
  });
  return { timesS, values };
}

describe("numbers between two marks", () => {
  it("agree with numpy and scipy for the step response of a second-order system", () => {
    const { timesS, values } = stepResponse();
    const found = measure(timesS, values)!;
    expect(found.min).toBeCloseTo(0, 12);
    expect(found.max).toBeCloseTo(1.2538190665187685, 9);
    expect(found.mean).toBeCloseTo(0.9338433685583506, 9);
    expect(found.rms).toBeCloseTo(0.976268809259667, 9);
    expect(found.step!.overshoot).toBeCloseTo(0.2493584995947915, 9);
    expect(found.step!.riseS).toBeCloseTo(0.4898169462331317, 9);
    expect(found.step!.settlingS).toBeCloseTo(2.84, 9);
  });

  it("omit gaps, and are undefined with fewer than two values", () => {
    expect(measure([0, 1, 2], [1, Number.NaN, 3])).toMatchObject({ from: 1, to: 3, mean: 2 });
    expect(measure([0, 1], [Number.NaN, 3])).toBeUndefined();
  });

  it("include no step response for a line that returns to its start", () => {
    expect(measure([0, 1, 2], [0, 5, 0])!.step).toBeUndefined();
  });

  it("include no step response for a line that has not settled", () => {
    const timesS = Array.from({ length: 101 }, (_, i) => i / 10);
    const ramp = timesS.map((t) => t);
    expect(measure(timesS, ramp)!.step).toBeUndefined();
  });
});

describe("spectrum", () => {
  it("has the amplitudes of numpy's transform with a Hann window", () => {
    const samples = Float64Array.from(
      { length: 256 },
      (_, i) => 2 * Math.sin((2 * Math.PI * 5.078125 * i) / 50) + 0.5 * Math.sin((2 * Math.PI * 12.5 * i) / 50) + 3,
    );
    const { frequenciesHz, values } = amplitudes(samples, 1 / 50);
    const expected = {
      25: 1.0058621669336787,
      26: 1.9999989349420084,
      63: 0.25146057784831416,
      64: 0.5000044000941448,
    };
    for (const [bin, amplitude] of Object.entries(expected)) expect(values[Number(bin) - 1]).toBeCloseTo(amplitude, 9);
    expect(frequenciesHz[25]).toBeCloseTo(5.078125, 12);
  });
});
