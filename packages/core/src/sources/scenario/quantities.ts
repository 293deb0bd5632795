/**
 * The quantities that a scenario's conditions may compare, one line each.
 *
 * State quantities depend on the true state alone, so they can be evaluated anywhere inside an interval and their
 * crossings are located (law 8). Signal quantities change only at boundaries. Names end with their unit.
 */
import { acos } from "../../math/index.ts";
import type { Readable, View } from "../../engine/contracts.ts";
import { SIGNALS } from "../../signals/table.ts";
import type { StateLayout } from "../../state/index.ts";

const DEG_PER_RAD = 180 / 3.141592653589793;

/** Offsets of the state blocks that quantities read; −1 for a block that the plant does not have. */
export interface StatePlaces {
  readonly pos: number;
  readonly vel: number;
  readonly q: number;
  readonly soc: number;
  readonly socCount: number;
}

interface QuantityDoc {
  readonly unit: string;
  readonly about: string;
}

/** A function of the true state. */
interface StateQuantity extends QuantityDoc {
  readonly of: (x: Readable, places: StatePlaces) => number;
  /** The state blocks that it reads. */
  readonly needs: readonly Exclude<keyof StatePlaces, "socCount">[];
}

/** A function of held signals and of the facts that the scenario derives. */
interface SignalQuantity extends QuantityDoc {
  readonly on: (bus: View<"scenario">, own: ScenarioFacts) => number;
}

/** Facts that the scenario derives whenever it runs. */
export interface ScenarioFacts {
  /** The true state vector. */
  state(bus: View<"scenario">): Readable;
  readonly timeS: number;
  readonly isTouching: number;
  readonly hasFlown: number;
  readonly impactSpeedMps: number;
}

export const STATE_QUANTITIES = {
  altitudeM: {
    unit: "m",
    about: "Height of the centre of mass above the origin's ground.",
    needs: ["pos"],
    of: (x, { pos }) => -x[pos + 2]!,
  },
  northM: { unit: "m", about: "Position north of the origin.", needs: ["pos"], of: (x, { pos }) => x[pos]! },
  eastM: { unit: "m", about: "Position east of the origin.", needs: ["pos"], of: (x, { pos }) => x[pos + 1]! },
  distanceM: {
    unit: "m",
    about: "Horizontal distance from the origin.",
    needs: ["pos"],
    of: (x, { pos }) => Math.sqrt(x[pos]! * x[pos]! + x[pos + 1]! * x[pos + 1]!),
  },
  groundSpeedMps: {
    unit: "m/s",
    about: "Horizontal speed over ground.",
    needs: ["vel"],
    of: (x, { vel }) => Math.sqrt(x[vel]! * x[vel]! + x[vel + 1]! * x[vel + 1]!),
  },
  climbMps: { unit: "m/s", about: "Vertical speed, up positive.", needs: ["vel"], of: (x, { vel }) => -x[vel + 2]! },
  tiltDeg: {
    unit: "deg",
    about: "Angle between the body's and the world's vertical.",
    needs: ["q"],
    // The last element of the rotation matrix is the cosine of the tilt.
    of: (x, { q }) =>
      DEG_PER_RAD * acos(Math.max(-1, Math.min(1, 1 - 2 * (x[q + 1]! * x[q + 1]! + x[q + 2]! * x[q + 2]!)))),
  },
  batteryRemaining: {
    unit: "1",
    about: "Lowest state of charge of all batteries, 0 to 1.",
    needs: ["soc"],
    of: (x, { soc, socCount }) => {
      let lowest = x[soc]!;
      for (let i = 1; i < socCount; i += 1) lowest = Math.min(lowest, x[soc + i]!);
      return lowest;
    },
  },
} as const satisfies Record<string, StateQuantity>;

type HeldQuantity =
  | "missionIndex"
  | "missionReached"
  | "missionFinished"
  | "armed"
  | "navState"
  | "failsafe"
  | "landDetected"
  | "landed";

/** A quantity that is itself a signal, with the unit and description from the signal table. */
function heldSignal(name: HeldQuantity): SignalQuantity {
  const { unit, about } = SIGNALS[name];
  return { unit, about, on: (bus) => bus[name][0]! };
}

export const SIGNAL_QUANTITIES = {
  timeS: { unit: "s", about: "Flight time.", on: (_bus, { timeS }) => timeS },
  batteryVoltageV: {
    unit: "V",
    about: "Lowest battery voltage.",
    on: ({ batteryVoltage }) => {
      let lowest = batteryVoltage[0] ?? 0;
      for (let i = 1; i < batteryVoltage.length; i += 1) lowest = Math.min(lowest, batteryVoltage[i]!);
      return lowest;
    },
  },
  missionItem: heldSignal("missionIndex"),
  missionReached: heldSignal("missionReached"),
  missionFinished: heldSignal("missionFinished"),
  armed: heldSignal("armed"),
  navState: heldSignal("navState"),
  failsafe: heldSignal("failsafe"),
  landDetected: heldSignal("landDetected"),
  landed: heldSignal("landed"),
  touching: {
    unit: "flag",
    about: "1 while any contact point touches the ground.",
    on: (_bus, { isTouching }) => isTouching,
  },
  hasFlown: { unit: "flag", about: "1 once the vehicle has left the ground.", on: (_bus, { hasFlown }) => hasFlown },
  impactMps: {
    unit: "m/s",
    about: "Speed just before touching the ground, at the boundary at which contact began; otherwise 0.",
    on: (_bus, { impactSpeedMps }) => impactSpeedMps,
  },
  windMps: {
    unit: "m/s",
    about: "Horizontal wind speed.",
    on: ({ windNed }) => Math.sqrt(windNed[0]! * windNed[0]! + windNed[1]! * windNed[1]!),
  },
} as const satisfies Record<string, SignalQuantity>;

export type StateQuantityName = keyof typeof STATE_QUANTITIES;
type SignalQuantityName = keyof typeof SIGNAL_QUANTITIES;
export type QuantityName = StateQuantityName | SignalQuantityName;
export const QUANTITY_NAMES = [
  ...Object.keys(STATE_QUANTITIES),
  ...Object.keys(SIGNAL_QUANTITIES),
] as readonly QuantityName[];

export function isStateQuantity(name: QuantityName): name is StateQuantityName {
  return Object.hasOwn(STATE_QUANTITIES, name);
}

/** State block of each offset. */
const BLOCKS = { pos: "posNed", vel: "velNed", q: "qBodyToNed", soc: "batterySoc" } as const;

/** Offsets of the blocks; throws a typed error if a comparison needs a block that is missing. */
export function placesOf(
  layout: StateLayout,
  compared: readonly { readonly quantity: QuantityName }[] = [],
): StatePlaces {
  for (const { quantity } of compared) {
    if (!isStateQuantity(quantity)) continue;
    for (const need of STATE_QUANTITIES[quantity].needs) layout.require(BLOCKS[need], `condition on ${quantity}`);
  }
  const offset = (name: string) => layout.find(name)?.offset ?? -1;
  return {
    pos: offset(BLOCKS.pos),
    vel: offset(BLOCKS.vel),
    q: offset(BLOCKS.q),
    soc: offset(BLOCKS.soc),
    socCount: layout.find(BLOCKS.soc)?.size ?? 0,
  };
}

export function stateQuantity(name: StateQuantityName): StateQuantity["of"] {
  return STATE_QUANTITIES[name].of;
}

/** A quantity as a function of the bus alone. */
export type QuantityReader = (bus: View<"scenario">) => number;

export function quantityReader(name: QuantityName, places: StatePlaces, facts: ScenarioFacts): QuantityReader {
  if (isStateQuantity(name)) {
    const { of } = STATE_QUANTITIES[name];
    return (bus) => of(facts.state(bus), places);
  }
  const { on } = SIGNAL_QUANTITIES[name];
  return (bus) => on(bus, facts);
}
