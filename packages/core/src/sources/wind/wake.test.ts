/** Wake unsteadiness occurs only while sinking, has a standard deviation of 1 per rotor, and is saved completely. */
import { describe, expect, it } from "vitest";
import { Snapshot } from "../../snapshot/index.ts";
import { Wake } from "./wake.ts";

const OPTIONS = { seed: 7, periodUs: 20_000, rotors: 4 };
const sample = (wake: Wake, sinkMps: number) => {
  const out = new Float64Array(OPTIONS.rotors);
  wake.sampleInto(out, Float64Array.of(0, 0, sinkMps), new Float64Array(3));
  return [...out];
};

describe("wake unsteadiness", () => {
  it("is zero unless the vehicle sinks, and draws nothing then", () => {
    const [hovered, fresh] = [new Wake(OPTIONS), new Wake(OPTIONS)];
    for (const sink of [-3, 0, 0.4, NaN]) expect(sample(hovered, sink)).toEqual([0, 0, 0, 0]);
    expect(sample(hovered, 2)).toEqual(sample(fresh, 2));
  });

  it("has a standard deviation of 1 and a correlation time of 0.1 s, independently for each rotor", () => {
    const wake = new Wake(OPTIONS);
    const rows = Array.from({ length: 20_000 }, () => sample(wake, 2));
    const mean = (of: (k: number) => number, count: number) =>
      Array.from({ length: count }, (_, k) => of(k)).reduce((a, b) => a + b, 0) / count;
    expect(mean((k) => rows[k]![0]! ** 2, rows.length)).toBeCloseTo(1, 1);
    expect(mean((k) => rows[k]![0]! * rows[k + 5]![0]!, rows.length - 5)).toBeCloseTo(Math.exp(-1), 1);
    expect(Math.abs(mean((k) => rows[k]![0]! * rows[k]![1]!, rows.length))).toBeLessThan(0.06);
  });

  it("continues with the same numbers from a snapshot", () => {
    const wake = new Wake(OPTIONS);
    for (let k = 0; k < 10; k += 1) sample(wake, 2);
    const other = new Wake(OPTIONS);
    Snapshot.of(wake).into(other);
    const next = Array.from({ length: 5 }, () => sample(wake, 2));
    expect(Array.from({ length: 5 }, () => sample(other, 2))).toEqual(next);
  });
});
