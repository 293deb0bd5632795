/**
 * Validation rows for the observed convergence order of RK4, on the built-in vehicles in flight. The order is the power
 * of the step size to which the error is proportional.
 *
 * A row shows the order of one block of the state: the block whose order is farthest from 4. In a norm over the whole
 * state, the large numbers of the rotor speeds would hide the other blocks.
 */
import { integrator, type Rig, rig } from "../support/plant.ts";
import type { ValidationRow } from "./row.ts";

const VEHICLES = ["iris", "x500", "hexa", "octa"] as const;
const SPAN_US = 48_000;
const STEPS_US = [2000, 1000] as const;
/**
 * Velocity and wind at the start, in NED. Every flight also turns, and its motor outputs are a tenth above the outputs
 * in hover. The two flights named after hover start in a slow descent.
 */
const FLIGHTS = {
  hover: { velNed: [0, 0, 0.3], windNed: [0, 0, 0] },
  "from descent to climb": { velNed: [0, 0, 0.05], windNed: [0, 0, 0] },
  descent: { velNed: [0, 0, 0.6], windNed: [0, 0, 0] },
  climb: { velNed: [0, 0, -3], windNed: [0, 0, 0] },
  "hover in wind": { velNed: [0, 0, 0.3], windNed: [4, 2, -1] },
  "climb in wind": { velNed: [0, 0, -3], windNed: [4, 2, -1] },
} as const;

export function plantOrderRows(): ValidationRow[] {
  return VEHICLES.flatMap((name) =>
    Object.keys(FLIGHTS).map((flight) => ({
      area: "Order of RK4 on the vehicles",
      quantity: `order of RK4 from ${STEPS_US.map((us) => us / 1000).join(" to ")} ms, ${name}, ${flight}`,
      source: "RK4 has order 4 on smooth equations",
      basis: "theory" as const,
      published: 4,
      ours: observedOrder(name, flight as keyof typeof FLIGHTS),
      tolerance: 0.2,
      unit: "1",
    })),
  );
}

const BLOCKS = ["velNed", "qBodyToNed", "rateBody", "rotorSpeed"] as const;

function observedOrder(name: string, flight: keyof typeof FLIGHTS): number {
  const truth = flown(name, flight, "rk45", 125);
  const [coarse, fine] = STEPS_US.map((us) => flown(name, flight, "rk4", us)) as [Rig, Rig];
  const orders = BLOCKS.map((block) => {
    const error = (rig: Rig) => distance(rig.get(block), truth.get(block));
    return Math.log2(error(coarse) / error(fine)) / Math.log2(STEPS_US[0] / STEPS_US[1]);
  });
  return orders.reduce((a, b) => (Math.abs(b - 4) > Math.abs(a - 4) ? b : a));
}

/** Flies with fixed steps: a tolerance scale of 1e12 makes the adaptive method accept each interval as one step. */
function flown(name: string, flight: keyof typeof FLIGHTS, method: string, us: number): Rig {
  const { velNed, windNed } = FLIGHTS[flight];
  const started = rig(name, { contact: { enabled: false } });
  const { rotors } = started.plant.trim();
  started
    .set({
      posNed: [0, 0, -100],
      velNed,
      rateBody: [0.4, -0.3, 0.2],
      motorOutput: rotors.map(({ duty }) => 1.1 * duty),
      rotorSpeed: rotors.map(({ speedRadS }) => speedRadS),
    })
    .input({ windNed });
  const options = method === "rk4" ? {} : { toleranceScale: 1e12 };
  return started.fly(integrator(method, started.plant, started.u, options), { us, steps: SPAN_US / us });
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}
