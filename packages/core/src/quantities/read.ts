/**
 * Reads quantities into arrays, for monitors, which read several of them at every sample.
 *
 * A function that is chosen at run time returns its number as an object, so each quantity is called by its name here.
 */
import type { Readable } from "../engine/contracts.ts";
import type { SignalName } from "../signals/table.ts";
import {
  type QuantityFacts,
  type QuantityName,
  SIGNAL_QUANTITIES,
  type SignalValuesView,
  STATE_QUANTITIES,
  type StatePlaces,
} from "./table.ts";

/** A quantity that is `sign` times one element of the state, or the first value of a signal. */
type HeldQuantity =
  | { readonly from: "state"; readonly offset: number; readonly sign: 1 | -1 }
  | { readonly from: "signal"; readonly signal: SignalName };

/** Returns the place that holds a quantity; undefined if it must be computed. */
export function heldBy(name: QuantityName, places: StatePlaces, batteries: number): HeldQuantity | undefined {
  const { pos, vel, soc } = places;
  switch (name) {
    case "altitudeM":
      return { from: "state", offset: pos + 2, sign: -1 };
    case "northM":
      return { from: "state", offset: pos, sign: 1 };
    case "eastM":
      return { from: "state", offset: pos + 1, sign: 1 };
    case "climbMps":
      return { from: "state", offset: vel + 2, sign: -1 };
    case "batteryRemaining":
      return batteries === 1 ? { from: "state", offset: soc, sign: 1 } : undefined;
    case "batteryVoltageV":
      return batteries === 1 ? { from: "signal", signal: "batteryVoltage" } : undefined;
    case "missionItem":
      return { from: "signal", signal: "missionIndex" };
    case "vibrationMps2":
      return { from: "signal", signal: "accelVibration" };
    case "missionReached":
    case "missionFinished":
    case "armed":
    case "navState":
    case "failsafe":
    case "landDetected":
    case "landed":
      return { from: "signal", signal: name };
    default:
      return undefined;
  }
}

/** Computes a quantity at the present sample; those of `heldBy` need no computation. */
export function readQuantityInto(
  out: Float64Array,
  at: number,
  name: QuantityName,
  bus: SignalValuesView,
  facts: QuantityFacts,
  x: Readable,
  places: StatePlaces,
): void {
  switch (name) {
    case "tiltDeg":
      out[at] = STATE_QUANTITIES.tiltDeg.of(x, places);
      break;
    case "groundSpeedMps":
      out[at] = STATE_QUANTITIES.groundSpeedMps.of(x, places);
      break;
    case "speedMps":
      out[at] = STATE_QUANTITIES.speedMps.of(x, places);
      break;
    case "distanceM":
      out[at] = STATE_QUANTITIES.distanceM.of(x, places);
      break;
    case "headingDeg":
      out[at] = STATE_QUANTITIES.headingDeg.of(x, places);
      break;
    case "batteryRemaining":
      out[at] = STATE_QUANTITIES.batteryRemaining.of(x, places);
      break;
    default:
      readSignalQuantityInto(out, at, name, bus, facts, x, places);
  }
}

function readSignalQuantityInto(
  out: Float64Array,
  at: number,
  name: QuantityName,
  bus: SignalValuesView,
  facts: QuantityFacts,
  x: Readable,
  places: StatePlaces,
): void {
  switch (name) {
    case "positionErrorM":
      out[at] = SIGNAL_QUANTITIES.positionErrorM.on(bus, facts, x, places);
      break;
    case "headingErrorDeg":
      out[at] = SIGNAL_QUANTITIES.headingErrorDeg.on(bus, facts, x, places);
      break;
    case "loadG":
      out[at] = SIGNAL_QUANTITIES.loadG.on(bus);
      break;
    case "powerW":
      out[at] = SIGNAL_QUANTITIES.powerW.on(bus);
      break;
    case "motorDutyMax":
      out[at] = SIGNAL_QUANTITIES.motorDutyMax.on(bus);
      break;
    case "windMps":
      out[at] = SIGNAL_QUANTITIES.windMps.on(bus);
      break;
    case "heightLossM":
      out[at] = facts.heightLossM;
      break;
    case "impactMps":
      out[at] = facts.impactSpeedMps;
      break;
    case "timeS":
      out[at] = facts.timeS;
      break;
    case "touching":
      out[at] = facts.isTouching;
      break;
    case "hasFlown":
      out[at] = facts.hasFlown;
      break;
    case "batteryVoltageV":
      out[at] = SIGNAL_QUANTITIES.batteryVoltageV.on(bus);
      break;
  }
}
