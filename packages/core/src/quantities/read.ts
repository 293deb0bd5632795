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
  type StateQuantityName,
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

/** The data from which quantities are computed at the present sample. */
export interface QuantitySample {
  readonly signals: SignalValuesView;
  readonly facts: QuantityFacts;
  readonly x: Readable;
}

/** Writes the value of a quantity at the present sample to `out[at]`. */
type QuantityReader = (out: Float64Array, at: number) => void;

interface StateColumns {
  readonly x: Float64Array;
  readonly places: StatePlaces;
  /** Elements of the state, and their values at the samples of a block. */
  readonly offsets: readonly number[];
  readonly columns: readonly Float64Array[];
}

/** Elements of the state at one of many samples. */
export class StateSample {
  readonly x: Float64Array;
  readonly places: StatePlaces;
  private readonly offsets: readonly number[];
  private readonly columns: readonly Float64Array[];

  constructor({ x, places, offsets, columns }: StateColumns) {
    this.x = x;
    this.places = places;
    this.offsets = offsets;
    this.columns = columns;
  }

  /** Sets the elements to their values at the k-th sample. */
  select(k: number): void {
    const { x, offsets, columns } = this;
    for (let i = 0; i < offsets.length; i += 1) x[offsets[i]!] = columns[i]![k]!;
  }
}

/** Writes the values of a quantity of the state at the first `count` samples. */
type StateColumnReader = (out: Float64Array, count: number) => void;

/**
 * Returns the reader of a quantity of the state. Quantities for which `heldBy` returns a place need no reader. Each
 * reader has a loop of its own: V8 inlines the formula there, while a shared loop would call it and allocate the
 * number that it returns.
 */
export function stateColumnReader(name: StateQuantityName, sample: StateSample): StateColumnReader {
  switch (name) {
    case "tiltDeg":
      return (out, count) => tiltsInto(out, count, sample);
    case "groundSpeedMps":
      return (out, count) => groundSpeedsInto(out, count, sample);
    case "speedMps":
      return (out, count) => speedsInto(out, count, sample);
    case "distanceM":
      return (out, count) => distancesInto(out, count, sample);
    case "headingDeg":
      return (out, count) => headingsInto(out, count, sample);
    case "batteryRemaining":
      return (out, count) => lowestChargesInto(out, count, sample);
    default:
      // The state holds every other quantity, so no reader is needed.
      return () => {};
  }
}

function tiltsInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.tiltDeg.of(x, places);
  }
}

function groundSpeedsInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.groundSpeedMps.of(x, places);
  }
}

function speedsInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.speedMps.of(x, places);
  }
}

function distancesInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.distanceM.of(x, places);
  }
}

function headingsInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.headingDeg.of(x, places);
  }
}

function lowestChargesInto(out: Float64Array, count: number, sample: StateSample): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.batteryRemaining.of(x, places);
  }
}

/**
 * Returns the reader of a quantity that is computed from signals or facts. Quantities for which `heldBy` returns a
 * place need no reader.
 */
export function quantityReaderInto(name: QuantityName, places: StatePlaces, sample: QuantitySample): QuantityReader {
  switch (name) {
    case "positionErrorM":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.positionErrorM.on(sample.signals, sample.facts, sample.x, places);
      };
    case "headingErrorDeg":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.headingErrorDeg.on(sample.signals, sample.facts, sample.x, places);
      };
    case "loadG":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.loadG.on(sample.signals);
      };
    case "powerW":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.powerW.on(sample.signals);
      };
    case "motorDutyMax":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.motorDutyMax.on(sample.signals);
      };
    case "windMps":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.windMps.on(sample.signals);
      };
    case "batteryVoltageV":
      return (out, at) => {
        out[at] = SIGNAL_QUANTITIES.batteryVoltageV.on(sample.signals);
      };
    case "heightLossM":
      return (out, at) => {
        out[at] = sample.facts.heightLossM;
      };
    case "impactMps":
      return (out, at) => {
        out[at] = sample.facts.impactSpeedMps;
      };
    case "timeS":
      return (out, at) => {
        out[at] = sample.facts.timeS;
      };
    case "touching":
      return (out, at) => {
        out[at] = sample.facts.isTouching;
      };
    case "hasFlown":
      return (out, at) => {
        out[at] = sample.facts.hasFlown;
      };
    default:
      // The state or the bus holds every other quantity, so no reader is needed.
      return () => {};
  }
}
