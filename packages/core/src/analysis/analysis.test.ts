/** Compares steady flight and linear models with the hover trim, closed forms, and flights of the plant itself. */
import { describe, expect, it } from "vitest";
import { integrator, rig } from "../../../../tests/support/plant.ts";
import { builtInVehicles } from "../describe/vehicles/index.ts";
import { BodyAxes } from "./body-axes.ts";
import { linearise, type LinearModel, operatingPoint, speedSweep, steadyFlight } from "./index.ts";

const G = 9.80665;
const free = { contact: { enabled: false } };
const entry = ({ A, states }: LinearModel, row: string, column: string) =>
  A[states.findIndex(({ name }) => name === row)]![states.findIndex(({ name }) => name === column)]!;

describe.each(Object.keys(builtInVehicles))("%s", (name) => {
  const { plant } = rig(name);

  it("hovers with the duties and the power of the closed-form trim", () => {
    const flight = steadyFlight(plant, { altitudeM: 600 });
    const trim = plant.trim({ altitudeM: 600 });
    flight.rotors.forEach(({ duty }, i) => expect(duty).toBeCloseTo(trim.rotors[i]!.duty, 6));
    // Ground effect at this height is below 1e-6 of the thrust.
    expect(Math.abs(flight.powerW - trim.powerW)).toBeLessThanOrEqual(1e-5 * trim.powerW);
    expect(flight.pitchRad).toBeCloseTo(0, 12);
  });

  it("finds steady flights in which the plant's equations give no acceleration", () => {
    const { axes, xi, inputs } = operatingPoint(plant, { speedMps: 6, climbMps: 1 });
    const derivatives = axes.derivatives(xi, inputs);
    derivatives.slice(3).forEach((value) => expect(Math.abs(value)).toBeLessThan(1e-6));
    expect(derivatives[0]).toBeCloseTo(6, 9);
    expect(derivatives[2]).toBeCloseTo(-1, 9);
  });
});

describe("the linear model", () => {
  it("of linear rotors and linear drag has the coefficients of the description", () => {
    const { plant } = rig("iris-linear", free);
    const { massKg, motorActuator, propulsion, rotors } = plant.vehicle;
    const model = linearise(plant);
    expect(entry(model, "u", "pitch")).toBeCloseTo(-G, 6);
    expect(entry(model, "v", "roll")).toBeCloseTo(G, 6);
    expect(entry(model, "motorOutput.1", "motorOutput.1")).toBeCloseTo(-1 / motorActuator.tauS, 6);
    expect(entry(model, "w", "motorOutput.2")).toBeCloseTo(-propulsion.linear.maxThrustN / massKg, 6);
    const inertia = plant.vehicle.inertiaDiagKgM2[0]!;
    const arm = -rotors[0]!.positionM[1]!;
    expect(entry(model, "p", "motorOutput.1")).toBeCloseTo((arm * propulsion.linear.maxThrustN) / inertia, 4);
  });

  it.each(["iris", "hexa", "iris-linear"])("predicts the motion of %s with an error of second order", (name) => {
    const { plant } = rig(name, free);
    const model = linearise(plant, { speedMps: 5 });
    const axes = new BodyAxes(
      plant,
      plant.vehicle.batteries.map(() => 1),
    );
    const fly = (start: readonly number[], f: (x: readonly number[]) => readonly number[]) => {
      const x = [...start];
      for (let k = 0; k < 100; k += 1) rk4(x, 2e-3, f);
      return x;
    };
    const plantDerivatives = (x: readonly number[]) => axes.derivatives(x, model.input);
    const linearDerivatives = (x: readonly number[]) =>
      model.A.map((row) => row.reduce((sum, a, j) => sum + a * x[j]!, 0));
    const undisturbed = fly(model.state, plantDerivatives);
    // A deviation of velocity, attitude and rates, which evolves for 0.2 s.
    const deviation = [0, 0, 0, 0.2, -0.1, 0.3, 0.02, -0.03, 0.01, 0.1, 0.2, -0.1];
    const errors = [1, 0.1].map((factor) => {
      const start = model.state.map((_, i) => factor * (deviation[i] ?? 0));
      const nonlinear = fly(
        model.state.map((value, i) => value + start[i]!),
        plantDerivatives,
      );
      const linear = fly(start, linearDerivatives);
      return nonlinear.map((value, i) => Math.abs(value - undisturbed[i]! - linear[i]!));
    });
    // A tenth of the deviation gives about a hundredth of the error; require less than a thirtieth.
    errors[0]!.forEach((error, i) => expect(errors[1]![i]!).toBeLessThanOrEqual(error / 30 + 1e-9));
    expect(Math.max(...errors[0]!.slice(0, 12))).toBeLessThan(0.02);
  });

  it("has the slow, unstable oscillation of a hovering multirotor in pitch and roll", () => {
    const { modes } = linearise(rig("iris").plant);
    const oscillations = modes.filter(({ eigenvalue }) => eigenvalue.im > 0);
    expect(
      oscillations.map(({ states }) =>
        states
          .map(({ name }) => name)
          .sort()
          .join(" "),
      ),
    ).toEqual(["pitch q u", "p roll v"]);
    for (const { eigenvalue, frequencyRadS } of oscillations) {
      expect(eigenvalue.re).toBeGreaterThan(0);
      expect(frequencyRadS).toBeGreaterThan(0.5);
      expect(frequencyRadS).toBeLessThan(3);
    }
  });
});

describe("steady flight", () => {
  it("in a speed sweep ends before the speed at which a rotor needs more than full duty", () => {
    const flights = speedSweep(rig("iris").plant, { stepMps: 5, limitMps: 100 });
    const top = flights.at(-1)!;
    expect(top.speedMps).toBeLessThan(100);
    expect(Math.max(...top.rotors.map(({ duty }) => duty))).toBeLessThanOrEqual(1);
    expect(() => steadyFlight(rig("iris").plant, { speedMps: 100 })).toThrow(/PLANT-008/);
  });

  it("stays a steady climb if the plant is integrated from there", () => {
    const testRig = rig("iris-linear", free);
    const { axes, xi, inputs } = operatingPoint(testRig.plant, { climbMps: 2 });
    axes.derivatives(xi, inputs);
    testRig.x.set(axes.x);
    testRig.u.set(axes.u);
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 2000, steps: 500 });
    expect(testRig.get("velNed")[2]).toBeCloseTo(-2, 6);
  });
});

/** Makes one classical Runge–Kutta step, in place. */
function rk4(x: number[], h: number, f: (x: readonly number[]) => readonly number[]): void {
  const at = (k: readonly number[], c: number) => x.map((value, i) => value + c * h * k[i]!);
  const k1 = f(x);
  const k2 = f(at(k1, 0.5));
  const k3 = f(at(k2, 0.5));
  const k4 = f(at(k3, 1));
  x.forEach((value, i) => (x[i] = value + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!)));
}
