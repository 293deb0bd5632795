/**
 * Finds the event that ends the effect of an event that has already happened.
 *
 * That event makes the part healthy again, adds an equal and opposite gust, or restores the previous value of a
 * setting. A request such as `land` cannot be undone.
 */
import type { PlainObject } from "../params/index.ts";
import { actionIn } from "./event-slots.ts";

/** An event of a flight, and the time at which it happened. */
export interface PastEvent {
  readonly spec: PlainObject;
  /** −1 if it did not happen. */
  readonly firedUs: number;
}

type Undo = (params: PlainObject, flight: PlainObject) => PlainObject | undefined;

const healMotor: Undo = ({ motor }) => ({ motorOn: { motor } });
const setSection =
  (section: string): Undo =>
  (_params, flight) => ({ [section]: flight[section] });

const INERTIA = ["inertiaKgM2", "inertiaDiagKgM2", "inertiaProductsKgM2"];

const UNDO: Readonly<Record<string, Undo>> = {
  motorOff: healMotor,
  motorLoss: healMotor,
  motorStuck: healMotor,
  motorNoise: healMotor,
  motorJam: healMotor,
  propellerImbalance: healMotor,
  propellerChip: healMotor,
  batteryOff: ({ battery }) => ({ batteryOn: { battery } }),
  batteryOn: ({ battery }) => ({ batteryOff: { battery } }),
  sensorFault: ({ sensor }) => ({ sensorFault: { sensor, fault: "healthy" } }),
  // Gusts of other shapes cannot be undone, because their shape depends on their window.
  gust: ({ velNedMps, shape }) => (shape === "step" ? { gust: { velNedMps: opposite(velNedMps) } } : undefined),
  windMean: ({ velNedMps }) => ({ windMean: { velNedMps: opposite(velNedMps) } }),
  parameter: ({ name }, flight) => {
    const value = ((flight["autopilot"] as PlainObject)["parameters"] as PlainObject)[name as string];
    return value === undefined ? undefined : { parameter: { name, value } };
  },
  wind: setSection("wind"),
  estimator: setSection("estimator"),
  integrator: setSection("integrator"),
  sensor: ({ kind }, flight) => {
    const { periodS: _period, ...params } = (flight["sensors"] as PlainObject)[kind as string] as PlainObject;
    return { sensor: { kind, ...params } };
  },
  vehicle: (params, flight) => {
    const vehicle = flight["vehicle"] as PlainObject;
    // A vehicle has one of the forms of inertia, and an event that sets another form removes it. So restore the keys
    // of every form.
    const keys = Object.keys(params).flatMap((key) => (INERTIA.includes(key) ? INERTIA : [key]));
    const known = keys.filter((key) => vehicle[key] !== undefined);
    return { vehicle: Object.fromEntries(known.map((key) => [key, vehicle[key]])) };
  },
  reseed: (_params, { seed }) => ({ reseed: { seed } }),
};

/** Actions whose effects add up, so that each can be undone without the others. */
const ADDITIVE_ACTIONS = ["gust", "windMean"];

/**
 * Returns events, without triggers, that undo an event from an instant on; none if its window is then over. Returns
 * the reason if the event cannot be undone.
 */
export function undoEvents(
  event: PastEvent,
  atUs: number,
  flight: PlainObject,
  others: readonly PastEvent[],
): PlainObject[] | string {
  const { spec } = event;
  const action = actionIn(spec);
  const leftUs = remainingUs(event, atUs);
  if (leftUs <= 0) return [];
  const undo = Object.hasOwn(UNDO, action) ? UNDO[action]!(spec[action] as PlainObject, flight) : undefined;
  if (undo === undefined) return `"${action}" cannot be undone once it has happened`;
  if (spec["repeats"] === true) return `"${action}" may happen again, because it repeats`;
  const isShared = others.some(
    (other) => other.firedUs >= 0 && other.firedUs < atUs && partOf(other.spec) === partOf(spec),
  );
  if (isShared && !ADDITIVE_ACTIONS.includes(action)) return `another event acts on the same ${partOf(spec)}`;
  return [{ ...undo, ...(ADDITIVE_ACTIONS.includes(action) && leftUs < Infinity ? { forS: leftUs / 1e6 } : {}) }];
}

/** Returns how much of an event's window is left at an instant; infinite without a window. */
export function remainingUs({ spec, firedUs }: PastEvent, atUs: number): number {
  const { forS } = spec;
  return typeof forS === "number" ? firedUs + Math.round(forS * 1e6) - atUs : Infinity;
}

/** Returns the part or setting that an event acts on. */
function partOf(spec: PlainObject): string {
  const action = actionIn(spec);
  const { motor, sensor, name, kind } = spec[action] as PlainObject;
  if (action.startsWith("motor")) return `motor ${String(motor)}`;
  if (action.startsWith("battery")) return "battery";
  if (action === "sensorFault") return `sensor ${String(sensor)}`;
  if (action === "parameter") return `parameter ${String(name)}`;
  return action === "sensor" ? `sensor settings of ${String(kind)}` : action;
}

function opposite(vector: unknown): number[] {
  return (vector as readonly number[]).map((value) => 0 - value);
}
