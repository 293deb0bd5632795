/** Every output is at its offset in the bus, and its equation computes what the signal table describes. */
import { describe, expect, it } from "vitest";
import { BusLayout, type SignalName } from "../engine/index.ts";
import { rig } from "../../../../tests/support/plant.ts";
import { MAX_COUNTS, OUTPUT_NAMES, outputsView, SCRATCH_MAP, SCRATCH_SIZE, scratchView, stateView } from "./memory.ts";
import { directOutputs, evaluatedOutputs, outputsInto } from "./outputs.ts";

const dims = { rotors: 3, batteries: 2, buses: 2 };
const layout = new BusLayout(dims);
const { constants } = rig("iris-reference").plant;

/**
 * Evaluates outputs of arrays in which each value is its own index; rotor 2 turns the opposite way, and battery 1 is
 * cut off.
 */
function evaluateOutputs({ motors }: { readonly motors: number }): (name: SignalName) => number[] {
  const cells = Float64Array.from({ length: SCRATCH_SIZE }, (_, i) => i);
  const vehicle = {
    ...constants,
    rotorCount: dims.rotors,
    batteryCount: dims.batteries,
    busCount: dims.buses,
    motorCount: motors,
    rotors: constants.rotors.map((rotor, i) => ({ ...rotor, direction: i === 1 ? -1 : 1, bus: 0 })),
    batteries: constants.batteries.map((battery, i) => ({ ...battery, bus: i })),
  };
  const dx = stateView(
    Float64Array.from({ length: 20 }, (_, i) => 1000 + i),
    vehicle,
  );
  const u = { batteryConnected: Float64Array.of(0, 1) } as never;
  const w = scratchView(cells);
  outputsInto(outputsView(w.outputs, dims), w, vehicle, dx, u);
  const [start] = layout.ranges.outputs;
  return (name) => {
    const { offset, size } = layout.find(name);
    return [...w.outputs.subarray(offset - start, offset - start + size)];
  };
}

describe("outputs of the multirotor", () => {
  const w = SCRATCH_MAP;

  it("are in the order of the signal table, and fit into the scratch array for the largest vehicle", () => {
    for (const each of [dims, MAX_COUNTS]) {
      const { ranges, signals } = new BusLayout(each);
      const [start, size] = ranges.outputs;
      const cells = Float64Array.from({ length: size }, (_, i) => start + i);
      const view = outputsView(cells, each);
      for (const name of OUTPUT_NAMES) {
        const signal = signals.find((found) => found.name === name)!;
        expect([...view[name]], name).toEqual(Array.from({ length: signal.size }, (_, i) => signal.offset + i));
      }
      expect(w.outputs[0]! + size).toBeLessThanOrEqual(SCRATCH_SIZE);
    }
  });

  it("have one equation each", () => {
    const names = [...Object.keys(evaluatedOutputs), ...Object.keys(directOutputs)];
    expect(names.sort()).toEqual([...OUTPUT_NAMES].sort());
  });

  it("are the results of the evaluation", () => {
    const output = evaluateOutputs({ motors: dims.rotors });
    expect(output("batteryVoltage")).toEqual([0, w.busVoltage[1]]);
    expect(output("batteryCurrent")).toEqual([0, w.batteryCurrent[1]]);
    expect(output("rotorThrust")).toEqual([...w.thrust.subarray(0, 3)]);
    expect(output("rotorTorque")).toEqual([w.torque[0], -w.torque[1]!, w.torque[2]]);
    expect(output("motorCurrent")).toEqual([...w.current.subarray(0, 3)]);
    expect(output("busVoltage")).toEqual([...w.busVoltage.subarray(0, 2)]);
    expect(output("busCurrent")[1]).toBe(w.servedPower[1]! / w.busVoltage[1]!);
    expect(output("airDensity")).toEqual([...w.density]);
    expect(output("airVelBody")).toEqual([...w.airVelocity]);
    expect(output("accNed")).toEqual([1003, 1004, 1005]);
    expect(output("rateDotBody")).toEqual([1010, 1011, 1012]);
    expect(output("contactForceNed")).toEqual([...w.contactForceNed]);
  });

  it("the current of a bus is the sum of avionics and motors", () => {
    const { inverseEfficiency } = constants.rotors[0]!;
    let load = w.servedPower[0]! / w.busVoltage[0]!;
    for (let i = 0; i < 3; i += 1) load += w.duty[i]! * w.current[i]! * inverseEfficiency;
    expect(evaluateOutputs({ motors: 3 })("busCurrent")[0]).toBe(load);
  });

  it("the specific force is the acceleration minus gravity, in body axes", () => {
    const [an, ae, ad] = [1003, 1004, 1005 - w.gravity[0]!];
    const [r] = w.rotation as unknown as [number];
    const axis = (i: number) => (r + i) * an + (r + 3 + i) * ae + (r + 6 + i) * ad;
    expect(evaluateOutputs({ motors: 3 })("specificForceBody")).toEqual([axis(0), axis(1), axis(2)]);
  });

  it("a vehicle without motors has no winding currents", () => {
    expect(evaluateOutputs({ motors: 0 })("motorCurrent")).toEqual([0, 0, 0]);
  });
});
