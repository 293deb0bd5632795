/** A ball with drag, thrown against a steady wind; the scenario ends the flight when the ball reaches the ground. */
import { coreRegistry } from "escapement";
import {
  Flight,
  flyNow,
  inputLayout,
  makePart,
  makeWindSource,
  parseCondition,
  periodicAxis,
  type Plant,
  Scenario,
  StateLayout,
} from "escapement/engine";

const dims = { rotors: 1, batteries: 1, buses: 1 };
const wind = inputLayout(dims).offsets.windNed;
const DRAG_PER_M = 0.02;

const vector = { size: 3, kind: "vector", group: "ball", tolerance: { absolute: 1e-9, relative: 1e-9 } } as const;
const layout = new StateLayout([
  { ...vector, name: "posNed", unit: "m" },
  { ...vector, name: "velNed", unit: "m/s" },
]);

const ball: Plant = {
  layout,
  initialInto: (x) => x.set([0, 0, -1.8, 15, 0, -15]),
  derivativesInto(dx, _timeS, x, u) {
    const [vn, ve, vd] = [x[3]! - u[wind]!, x[4]! - u[wind + 1]!, x[5]! - u[wind + 2]!];
    const drag = DRAG_PER_M * Math.sqrt(vn * vn + ve * ve + vd * vd);
    dx.set([x[3]!, x[4]!, x[5]!, -drag * vn, -drag * ve, 9.81 - drag * vd]);
  },
};

const condition = parseCondition("altitudeM <= 0") as Exclude<ReturnType<typeof parseCondition>, { what: string }>;
const trigger = { at: "condition", condition, holdUs: 0, hysteresis: 0, afterUs: 0, snapUs: 0 } as const;
const landing = { trigger, repeats: false, action: "stop", params: { outcome: "completed", reason: "down" } } as const;

const flight = new Flight({
  endUs: 60_000_000,
  dims,
  plant: ball,
  integrator: (context) => makePart(coreRegistry.integrators, "rk45", context),
  wind: makeWindSource(
    makePart(coreRegistry.winds, { kind: "constant", windNedMps: [-6, 0, 0] }, { seed: 1, periodUs: 20_000 }),
    periodicAxis({ periodUs: 20_000 }),
  ),
  scenario: new Scenario({ events: [landing], layout, seed: 1, startUs: 0 }),
});
export const end = flyNow(flight);
export const reachM = flight.x[0]!;
console.log(`down after ${(end.endUs / 1e6).toFixed(6)} s, ${reachM.toFixed(3)} m away`);
