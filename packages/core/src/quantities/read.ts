/**
 * Reads quantities into arrays, for monitors, which read several of them at every sample.
 *
 * V8 boxes the number that a function chosen at run time returns. So each quantity has a reader, chosen once, that
 * calls the quantity's function by name, writes the number into an array and returns nothing.
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

/** Writes a quantity at the present sample. */
type QuantityReader = (out: Float64Array, at: number, bus: SignalValuesView, facts: QuantityFacts, x: Readable) => void;

/** Returns the reader of a quantity that must be computed; those of `heldBy` need no reader. */
export function quantityReaderInto(name: QuantityName, places: StatePlaces): QuantityReader {
  switch (name) {
    case "tiltDeg":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.tiltDeg.of(x, places);
      };
    case "groundSpeedMps":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.groundSpeedMps.of(x, places);
      };
    case "speedMps":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.speedMps.of(x, places);
      };
    case "distanceM":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.distanceM.of(x, places);
      };
    case "headingDeg":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.headingDeg.of(x, places);
      };
    case "batteryRemaining":
      return (out, at, _bus, _facts, x) => {
        out[at] = STATE_QUANTITIES.batteryRemaining.of(x, places);
      };
    default:
      return signalReaderInto(name, places);
  }
}

function signalReaderInto(name: QuantityName, places: StatePlaces): QuantityReader {
  switch (name) {
    case "positionErrorM":
      return (out, at, bus, facts, x) => {
        out[at] = SIGNAL_QUANTITIES.positionErrorM.on(bus, facts, x, places);
      };
    case "headingErrorDeg":
      return (out, at, bus, facts, x) => {
        out[at] = SIGNAL_QUANTITIES.headingErrorDeg.on(bus, facts, x, places);
      };
    case "loadG":
      return (out, at, bus) => {
        out[at] = SIGNAL_QUANTITIES.loadG.on(bus);
      };
    case "powerW":
      return (out, at, bus) => {
        out[at] = SIGNAL_QUANTITIES.powerW.on(bus);
      };
    case "motorDutyMax":
      return (out, at, bus) => {
        out[at] = SIGNAL_QUANTITIES.motorDutyMax.on(bus);
      };
    case "windMps":
      return (out, at, bus) => {
        out[at] = SIGNAL_QUANTITIES.windMps.on(bus);
      };
    case "batteryVoltageV":
      return (out, at, bus) => {
        out[at] = SIGNAL_QUANTITIES.batteryVoltageV.on(bus);
      };
    case "heightLossM":
      return (out, at, _bus, facts) => {
        out[at] = facts.heightLossM;
      };
    case "impactMps":
      return (out, at, _bus, facts) => {
        out[at] = facts.impactSpeedMps;
      };
    case "timeS":
      return (out, at, _bus, facts) => {
        out[at] = facts.timeS;
      };
    case "touching":
      return (out, at, _bus, facts) => {
        out[at] = facts.isTouching;
      };
    case "hasFlown":
      return (out, at, _bus, facts) => {
        out[at] = facts.hasFlown;
      };
    default:
      // The state or the bus holds every other quantity.
      return () => {};
  }
}
