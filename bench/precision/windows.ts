/**
 * Measures the error of an integrator over windows of one second.
 *
 * A flight is recorded with the reference integrator. The candidate then replays its commands, wind and faults, and
 * starts every window from the state of the reference. So the result includes neither the reaction of a controller to
 * an error, nor the instability of the uncontrolled vehicle.
 */
import {
  assemble,
  coreRegistry,
  flightLoop,
  type FlightDefinition,
  flyFlightNow,
  mustResolve,
  type PlainObject,
  type Recording,
  resolveFlight,
} from "@escapement/core";

const WINDOW_US = 1_000_000;
/** A window that starts or ends lower than this contains contact with the ground. */
const GROUND_M = 0.5;
const DEG_PER_RAD = 180 / Math.PI;

/** The largest errors at the ends of windows. */
export interface WindowErrors {
  readonly positionM: number;
  readonly attitudeDeg: number;
}

export interface Precision {
  readonly air: WindowErrors;
  readonly ground: WindowErrors;
}

export interface RecordedReference {
  readonly recording: Recording;
  /** The state before the first boundary at or after every whole second, one after the other. */
  readonly states: readonly Float64Array[];
  readonly posAt: number;
  readonly attAt: number;
}

/** Resolves the mission of a vehicle in turbulence with an integrator. */
export function missionWith(vehicle: string, integrator: PlainObject, physicsPeriodS: number) {
  const spec = { extends: "mission", vehicle, wind: "dryden", integrator, timeline: { physicsPeriodS } };
  return mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry));
}

export function recordReference(vehicle: string, integrator: PlainObject): RecordedReference {
  const resolved = missionWith(vehicle, integrator, 0);
  const { recording } = flyFlightNow(resolved);
  const states: Float64Array[] = [];
  const { layout } = replay(resolved.definition, recording, (x) => void states.push(x.slice()));
  return {
    recording,
    states,
    posAt: layout.require("posNed", "bench").offset,
    attAt: layout.require("qBodyToNed", "bench").offset,
  };
}

/** Replays a recording and calls `atEnd` with the state at the end of every window. */
function replay(definition: FlightDefinition, recording: Recording, atEnd: (x: Float64Array, window: number) => void) {
  const { flight, plant } = assemble(definition, coreRegistry, {
    replay: { recording, live: [] },
    fingerprint: "none",
  });
  const markUs = Float64Array.of(WINDOW_US);
  let window = 0;
  for (const pause of flightLoop(flight, { markUs })) {
    if (pause !== "mark") continue;
    atEnd(flight.x, window);
    window += 1;
    markUs[0]! += WINDOW_US;
  }
  return plant;
}

export function precisionOf(reference: RecordedReference, definition: FlightDefinition): Precision {
  const { recording, states, posAt, attAt } = reference;
  const air = { positionM: 0, attitudeDeg: 0 };
  const ground = { positionM: 0, attitudeDeg: 0 };
  replay(definition, recording, (x, window) => {
    const truth = states[window]!;
    const isLow = [states[window - 1], truth].some((state) => state === undefined || -state[posAt + 2]! < GROUND_M);
    const errors = isLow ? ground : air;
    errors.positionM = Math.max(errors.positionM, distance(x, truth, posAt, 3));
    // For small errors the angle between two attitudes is twice the distance of their quaternions.
    errors.attitudeDeg = Math.max(errors.attitudeDeg, 2 * DEG_PER_RAD * distance(x, truth, attAt, 4));
    x.set(truth);
  });
  return { air, ground };
}

function distance(a: Float64Array, b: Float64Array, at: number, size: number): number {
  return Math.hypot(...Array.from({ length: size }, (_, i) => a[at + i]! - b[at + i]!));
}
