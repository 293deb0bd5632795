/** The guards end a flight whose state or signals are larger than is possible. */
import { describe, expect, it } from "vitest";
import { type Block, StateLayout } from "../state/layout.ts";
import { Bus } from "./bus.ts";
import type { Truth } from "./contracts.ts";
import { StateGuard, WriterGuard } from "./guards.ts";

const block = (name: string, unit: string, size: number): Block => ({
  name,
  size,
  unit,
  kind: "vector",
  group: "",
  tolerance: { absolute: 1, relative: 0 },
});
const layout = new StateLayout([block("posNed", "m", 3), block("velNed", "m/s", 3), block("charge", "1", 1)]);

describe("StateGuard", () => {
  it("accepts the state of an orbit, and any finite value in a unit without a maximum", () => {
    expect(() =>
      new StateGuard(layout).check(Float64Array.of(7e6, 0, 0, 0, 7.6e3, 0, 1e200), Float64Array.of(0)),
    ).not.toThrow();
  });

  it.each([
    [3, 1.1e5, "velNed.1"],
    [5, -1e300, "velNed.3"],
    [1, -2e9, "posNed.2"],
  ])("names the component with index %i if its value is %d", (index, value, name) => {
    const x = new Float64Array(layout.size);
    x[index] = value;
    expect(() => new StateGuard(layout).check(x, Float64Array.of(5))).toThrow(`${name} is ${value}`);
  });
});

describe("WriterGuard", () => {
  const at = Float64Array.of(5);

  it.each([
    [2 ** 53, undefined],
    [1e16, "the estimator wrote a value beyond ±10000000000000000 into estPosNed"],
    [-1e301, "the estimator wrote a value beyond ±10000000000000000 into estPosNed"],
    [NaN, "the estimator wrote a value that is not finite into estPosNed"],
  ])("checks a signal with the value %d", (value, message) => {
    const bus = new Bus({ rotors: 4, batteries: 1, buses: 1 }, {} as Truth);
    bus.signal("estPosNed")[1] = value;
    const check = () => new WriterGuard(bus, "estimator").check(at);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });
});
