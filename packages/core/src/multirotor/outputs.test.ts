/** What is made of an evaluation lies where the bus has it, signal by signal. */
import { describe, expect, it } from "vitest";
import { BusLayout, type SignalName } from "../engine/index.ts";
import { N, P, ROTOR, W, W_SIZE, X } from "./memory.ts";
import { outputsInto } from "./outputs.ts";

const dims = { rotors: 3, batteries: 2, buses: 2 };
const layout = new BusLayout(dims);

/** Numbers that tell where they come from; rotor 2 turns the other way, battery 1 is cut off, buses carry 1 W each. */
function evaluated({ motors }: { readonly motors: number }): (name: SignalName) => number[] {
  const p = new Float64Array(P.P_AIR);
  const n = new Int32Array(N.N_AIR_CELL);
  const u = Float64Array.of(0, 1);
  const dx = Float64Array.from({ length: 20 }, (_, i) => 1000 + i);
  const w = Float64Array.from({ length: W_SIZE }, (_, i) => i);
  n[N.N_ROTORS] = dims.rotors;
  n[N.N_BATTERIES] = dims.batteries;
  n[N.N_BUSES] = dims.buses;
  n[N.N_MOTORS] = motors;
  n[N.N_U_CONNECTED] = 0;
  n[N.N_BATTERY_BUS + 1] = 1;
  for (let i = 0; i < dims.rotors; i += 1) p[P.P_ROTOR + i * ROTOR.ROTOR_STRIDE + ROTOR.R_DIR] = i === 1 ? -1 : 1;
  outputsInto(w, dx, u, p, n);
  const [start] = layout.ranges.outputs;
  return (name) => {
    const { offset, size } = layout.find(name);
    return [...w.subarray(W.W_OUTPUTS + offset - start, W.W_OUTPUTS + offset - start + size)];
  };
}

describe("outputs of the multirotor", () => {
  it("lie in the order of the signal table", () => {
    const output = evaluated({ motors: dims.rotors });
    expect(output("batteryVoltage")).toEqual([0, W.W_VOLTAGE + 1]);
    expect(output("batteryCurrent")).toEqual([0, W.W_BATTERY_CURRENT + 1]);
    expect(output("rotorThrust")).toEqual([W.W_THRUST, W.W_THRUST + 1, W.W_THRUST + 2]);
    expect(output("rotorTorque")).toEqual([W.W_TORQUE, -(W.W_TORQUE + 1), W.W_TORQUE + 2]);
    expect(output("motorCurrent")).toEqual([W.W_CURRENT, W.W_CURRENT + 1, W.W_CURRENT + 2]);
    expect(output("busVoltage")).toEqual([W.W_VOLTAGE, W.W_VOLTAGE + 1]);
    expect(output("busCurrent")).toEqual([W.W_SERVED / W.W_VOLTAGE, (W.W_SERVED + 1) / (W.W_VOLTAGE + 1)]);
    expect(output("airDensity")).toEqual([W.W_RHO]);
    expect(output("airVelBody")).toEqual([W.W_AIR, W.W_AIR + 1, W.W_AIR + 2]);
    expect(output("accNed")).toEqual([1003, 1004, 1005]);
    expect(output("rateDotBody")).toEqual([1000 + X.X_RATE, 1001 + X.X_RATE, 1002 + X.X_RATE]);
    expect(output("contactForceNed")).toEqual([W.W_CONTACT, W.W_CONTACT + 1, W.W_CONTACT + 2]);
  });

  it("the specific force is the acceleration less gravity, in body axes", () => {
    const [an, ae, ad] = [1003, 1004, 1005 - W.W_GRAVITY];
    const axis = (i: number) => (W.W_ROTATION + i) * an + (W.W_ROTATION + 3 + i) * ae + (W.W_ROTATION + 6 + i) * ad;
    expect(evaluated({ motors: 3 })("specificForceBody")).toEqual([axis(0), axis(1), axis(2)]);
  });

  it("a vehicle without motors has no winding currents", () => {
    expect(evaluated({ motors: 0 })("motorCurrent")).toEqual([0, 0, 0]);
  });
});
