/**
 * The quantities that conditions, requirements and measures may name, one entry each.
 *
 * State quantities depend on the true state alone, so they can be evaluated anywhere inside an interval and their
 * crossings are located (law 8 in docs/contract.md). Signal quantities change only at boundaries. Names end with their
 * unit; requirements may leave it out and write it after the number instead.
 */
import { DEG_PER_RAD } from "../math/angle.ts";
import { acos, quatYaw, wrapPi } from "../math/index.ts";
import type { Readable } from "../engine/contracts.ts";
import { SETPOINT_BITS, type SignalName, SIGNALS } from "../signals/table.ts";
import type { StateLayout } from "../state/index.ts";

/** Standard gravity, which defines the unit g. */
const STANDARD_GRAVITY_MPS2 = 9.80665;
/** Bits that are set if a position is commanded in all three directions. */
const POSITION_VALID = SETPOINT_BITS.posXy | SETPOINT_BITS.posZ;

/** Offsets of the state blocks that quantities read; −1 for a block that the plant does not have. */
export interface StatePlaces {
  readonly pos: number;
  readonly vel: number;
  readonly q: number;
  readonly soc: number;
  readonly socCount: number;
}

/** A state block that a quantity reads. */
type Need = Exclude<keyof StatePlaces, "socCount">;

interface QuantityDoc {
  readonly unit: string;
  readonly about: string;
  /** The state blocks that it reads. */
  readonly needs: readonly Need[];
  /** The components of these blocks that it reads; all by default. */
  readonly components?: readonly number[];
  /** A difference of practical importance, in this unit. Default: the scale of the unit's dimension. */
  readonly scale?: number;
  /** Whether it reads the facts derived from the truth. */
  readonly usesFacts?: true;
}

/** A function of the true state. */
interface StateQuantity extends QuantityDoc {
  readonly of: (x: Readable, places: StatePlaces) => number;
}

/** All signals by name. */
export type SignalValuesView = { readonly [N in SignalName]: Readable };

/** A function of held signals and of facts derived from the truth. It may also use the state. */
interface SignalQuantity extends QuantityDoc {
  readonly on: (bus: SignalValuesView, facts: QuantityFacts, x: Readable, places: StatePlaces) => number;
  /** The signals that it reads; a log without them does not have the quantity. */
  readonly signals: readonly SignalName[];
}

/** Facts derived from the truth so far. */
export interface QuantityFacts {
  readonly timeS: number;
  readonly isTouching: number;
  readonly hasFlown: number;
  readonly impactSpeedMps: number;
  readonly heightLossM: number;
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
    components: [0, 1],
    of: (x, { pos }) => Math.sqrt(x[pos]! * x[pos]! + x[pos + 1]! * x[pos + 1]!),
  },
  groundSpeedMps: {
    unit: "m/s",
    about: "Horizontal speed over ground.",
    needs: ["vel"],
    components: [0, 1],
    of: (x, { vel }) => Math.sqrt(x[vel]! * x[vel]! + x[vel + 1]! * x[vel + 1]!),
  },
  speedMps: {
    unit: "m/s",
    about: "Speed over ground, vertical speed included.",
    needs: ["vel"],
    of: (x, { vel }) => Math.sqrt(x[vel]! * x[vel]! + x[vel + 1]! * x[vel + 1]! + x[vel + 2]! * x[vel + 2]!),
  },
  climbMps: { unit: "m/s", about: "Vertical speed, up positive.", needs: ["vel"], of: (x, { vel }) => -x[vel + 2]! },
  tiltDeg: {
    unit: "deg",
    about: "Angle between the body's vertical axis and the world's vertical.",
    needs: ["q"],
    components: [1, 2],
    // The last element of the rotation matrix is the cosine of the tilt.
    of: (x, { q }) =>
      DEG_PER_RAD * acos(Math.max(-1, Math.min(1, 1 - 2 * (x[q + 1]! * x[q + 1]! + x[q + 2]! * x[q + 2]!)))),
  },
  headingDeg: {
    unit: "deg",
    about: "Heading of the body's forward axis, clockwise from north, −180 to 180.",
    needs: ["q"],
    of: (x, { q }) => DEG_PER_RAD * quatYaw(x as Float64Array, q),
  },
  batteryRemaining: {
    unit: "1",
    scale: 0.05,
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

/**
 * Returns a quantity that is itself a signal, with the unit and description from the signal table. Each has its own
 * reader, because a shared reader that looks the signal up by name would be slow.
 */
function heldSignal(name: HeldQuantity, on: SignalQuantity["on"]): SignalQuantity {
  const { unit, about } = SIGNALS[name];
  return { unit, about, needs: [], signals: [name], on };
}

export const SIGNAL_QUANTITIES = {
  timeS: { unit: "s", about: "Flight time.", needs: [], signals: [], usesFacts: true, on: (_bus, { timeS }) => timeS },
  batteryVoltageV: {
    unit: "V",
    about: "Lowest battery voltage.",
    needs: [],
    signals: ["batteryVoltage"],
    on: ({ batteryVoltage }) => {
      let lowest = batteryVoltage[0] ?? 0;
      for (let i = 1; i < batteryVoltage.length; i += 1) lowest = Math.min(lowest, batteryVoltage[i]!);
      return lowest;
    },
  },
  missionItem: heldSignal("missionIndex", (bus) => bus.missionIndex[0]!),
  missionReached: heldSignal("missionReached", (bus) => bus.missionReached[0]!),
  missionFinished: heldSignal("missionFinished", (bus) => bus.missionFinished[0]!),
  armed: heldSignal("armed", (bus) => bus.armed[0]!),
  navState: heldSignal("navState", (bus) => bus.navState[0]!),
  failsafe: heldSignal("failsafe", (bus) => bus.failsafe[0]!),
  landDetected: heldSignal("landDetected", (bus) => bus.landDetected[0]!),
  landed: heldSignal("landed", (bus) => bus.landed[0]!),
  touching: {
    unit: "flag",
    about: "1 while any contact point touches the ground.",
    needs: ["pos", "vel"],
    signals: ["contactForceNed"],
    usesFacts: true,
    on: (_bus, { isTouching }) => isTouching,
  },
  hasFlown: {
    unit: "flag",
    about: "1 once the vehicle has been more than 0.3 m above its start without touching the ground.",
    needs: ["pos", "vel"],
    signals: ["contactForceNed"],
    usesFacts: true,
    on: (_bus, { hasFlown }) => hasFlown,
  },
  impactMps: {
    unit: "m/s",
    about: "Speed just before ground contact, at the boundary at which contact began; 0 at all other boundaries.",
    needs: ["pos", "vel"],
    signals: ["contactForceNed"],
    usesFacts: true,
    on: (_bus, { impactSpeedMps }) => impactSpeedMps,
  },
  heightLossM: {
    unit: "m",
    about: "Height lost since the highest point so far.",
    needs: ["pos", "vel"],
    signals: [],
    usesFacts: true,
    on: (_bus, { heightLossM }) => heightLossM,
  },
  windMps: {
    unit: "m/s",
    about: "Horizontal wind speed.",
    needs: [],
    signals: ["windNed"],
    on: ({ windNed }) => Math.sqrt(windNed[0]! * windNed[0]! + windNed[1]! * windNed[1]!),
  },
  positionErrorM: {
    unit: "m",
    about: "Distance from the position setpoint; 0 on the ground and while no position is commanded.",
    needs: ["pos"],
    signals: ["setPosNed", "setpointValid", "contactForceNed"],
    on: ({ setPosNed, setpointValid, contactForceNed }, _facts, x, { pos }) => {
      if ((setpointValid[0]! & POSITION_VALID) !== POSITION_VALID || contactForceNed[2]! < 0) return 0;
      const n = x[pos]! - setPosNed[0]!;
      const e = x[pos + 1]! - setPosNed[1]!;
      const d = x[pos + 2]! - setPosNed[2]!;
      return Math.sqrt(n * n + e * e + d * d);
    },
  },
  headingErrorDeg: {
    unit: "deg",
    about: "Angle between heading and heading setpoint; 0 while no heading is commanded.",
    needs: ["q"],
    signals: ["setYaw", "setpointValid"],
    on: ({ setYaw, setpointValid }, _facts, x, { q }) =>
      (setpointValid[0]! & SETPOINT_BITS.yaw) === 0
        ? 0
        : DEG_PER_RAD * Math.abs(wrapPi(quatYaw(x as Float64Array, q) - setYaw[0]!)),
  },
  loadG: {
    unit: "g",
    about: "Load factor: specific force at the centre of mass, in multiples of standard gravity.",
    needs: [],
    signals: ["specificForceBody"],
    on: ({ specificForceBody: f }) => Math.sqrt(f[0]! * f[0]! + f[1]! * f[1]! + f[2]! * f[2]!) / STANDARD_GRAVITY_MPS2,
  },
  powerW: {
    unit: "W",
    about: "Electrical power of all batteries.",
    needs: [],
    signals: ["batteryVoltage", "batteryCurrent"],
    on: ({ batteryVoltage, batteryCurrent }) => {
      let watts = 0;
      for (let i = 0; i < batteryVoltage.length; i += 1) watts += batteryVoltage[i]! * batteryCurrent[i]!;
      return watts;
    },
  },
  vibrationMps2: {
    unit: "m/s2",
    about: "Vibration metric of the accelerometer, as PX4 computes it; 0 without an IMU. Below 4.9 is good.",
    needs: [],
    signals: ["accelVibration"],
    on: ({ accelVibration }) => accelVibration[0]!,
  },
  motorDutyMax: {
    unit: "1",
    about: "Highest commanded duty of all motors, 0 to 1.",
    needs: [],
    signals: ["motorCommand"],
    on: ({ motorCommand }) => {
      let highest = 0;
      for (let i = 0; i < motorCommand.length; i += 1) highest = Math.max(highest, motorCommand[i]!);
      return highest;
    },
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
export const STATE_BLOCK_OF = { pos: "posNed", vel: "velNed", q: "qBodyToNed", soc: "batterySoc" } as const;

/** Returns the offsets of the blocks. Throws a typed error if a comparison needs a block that is missing. */
export function placesOf(
  layout: StateLayout,
  compared: readonly { readonly quantity: QuantityName }[] = [],
): StatePlaces {
  for (const { quantity } of compared) {
    for (const need of quantityDoc(quantity).needs) layout.require(STATE_BLOCK_OF[need], `condition on ${quantity}`);
  }
  const offset = (name: string) => layout.find(name)?.offset ?? -1;
  return {
    pos: offset(STATE_BLOCK_OF.pos),
    vel: offset(STATE_BLOCK_OF.vel),
    q: offset(STATE_BLOCK_OF.q),
    soc: offset(STATE_BLOCK_OF.soc),
    socCount: layout.find(STATE_BLOCK_OF.soc)?.size ?? 0,
  };
}

export function stateQuantity(name: StateQuantityName): StateQuantity["of"] {
  return STATE_QUANTITIES[name].of;
}

/** Computes a quantity at one sample. */
export type QuantityReader = (bus: SignalValuesView, facts: QuantityFacts, x: Readable) => number;

export function quantityReader(name: QuantityName, places: StatePlaces): QuantityReader {
  if (isStateQuantity(name)) {
    const { of } = STATE_QUANTITIES[name];
    return (_bus, _facts, x) => of(x, places);
  }
  const { on } = SIGNAL_QUANTITIES[name];
  return (bus, facts, x) => on(bus, facts, x, places);
}

/** The properties of a quantity that do not depend on a flight. */
interface QuantityInfo extends QuantityDoc {
  readonly signals: readonly SignalName[];
}

export function quantityInfo(name: QuantityName): QuantityInfo {
  const info = quantityDoc(name);
  return { ...info, signals: info.signals ?? [] };
}

function quantityDoc(name: QuantityName): QuantityDoc & Partial<Pick<QuantityInfo, "signals">> {
  return isStateQuantity(name) ? STATE_QUANTITIES[name] : SIGNAL_QUANTITIES[name];
}
