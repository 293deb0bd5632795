/**
 * Reads quantities into columns, for monitors: one number per sample of a block.
 *
 * V8 boxes the number that a function chosen at run time returns. So each quantity that must be computed has a loop of
 * its own, into which V8 inlines the quantity's formula.
 */
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

/** An element of an array, and its values at the samples of a block. */
export interface ElementColumn {
  readonly offset: number;
  readonly column: Float64Array;
}

interface ElementColumns {
  /** The state, and elements of it. */
  readonly x: Float64Array;
  readonly ofState: readonly ElementColumn[];
  /** The values of the bus, elements of them, and the signals that lie in them. */
  readonly values: Float64Array;
  readonly ofBus: readonly ElementColumn[];
  readonly signals: SignalValuesView;
  readonly places: StatePlaces;
}

/** Elements of the state and of the bus at one of many samples. */
export class SampleElements {
  readonly x: Float64Array;
  readonly signals: SignalValuesView;
  readonly places: StatePlaces;
  private readonly values: Float64Array;
  private readonly ofState: readonly ElementColumn[];
  private readonly ofBus: readonly ElementColumn[];

  constructor({ x, ofState, values, ofBus, signals, places }: ElementColumns) {
    this.x = x;
    this.ofState = ofState;
    this.values = values;
    this.ofBus = ofBus;
    this.signals = signals;
    this.places = places;
  }

  /** Sets the elements to their values at the k-th sample. */
  select(k: number): void {
    const { x, ofState, values, ofBus } = this;
    for (let i = 0; i < ofState.length; i += 1) x[ofState[i]!.offset] = ofState[i]!.column[k]!;
    for (let i = 0; i < ofBus.length; i += 1) values[ofBus[i]!.offset] = ofBus[i]!.column[k]!;
  }
}

/** The formulas that are computed here take facts, but do not read them. */
const NO_FACTS = {} as QuantityFacts;

/** Writes a quantity at the first `count` samples. */
type QuantityColumnReader = (out: Float64Array, count: number) => void;

/** Returns the reader of a quantity. Facts, and quantities for which `heldBy` returns a place, need no reader. */
export function quantityColumnReader(name: QuantityName, sample: SampleElements): QuantityColumnReader {
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
    case "positionErrorM":
      return (out, count) => positionErrorsInto(out, count, sample);
    case "headingErrorDeg":
      return (out, count) => headingErrorsInto(out, count, sample);
    case "loadG":
      return (out, count) => loadsInto(out, count, sample);
    case "powerW":
      return (out, count) => powersInto(out, count, sample);
    case "motorDutyMax":
      return (out, count) => largestDutiesInto(out, count, sample);
    case "windMps":
      return (out, count) => windsInto(out, count, sample);
    case "batteryVoltageV":
      return (out, count) => lowestVoltagesInto(out, count, sample);
    default:
      return () => {};
  }
}

function tiltsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.tiltDeg.of(x, places);
  }
}

function groundSpeedsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.groundSpeedMps.of(x, places);
  }
}

function speedsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.speedMps.of(x, places);
  }
}

function distancesInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.distanceM.of(x, places);
  }
}

function headingsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.headingDeg.of(x, places);
  }
}

function lowestChargesInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = STATE_QUANTITIES.batteryRemaining.of(x, places);
  }
}

function positionErrorsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals, x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.positionErrorM.on(signals, NO_FACTS, x, places);
  }
}

function headingErrorsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals, x, places } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.headingErrorDeg.on(signals, NO_FACTS, x, places);
  }
}

function loadsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.loadG.on(signals);
  }
}

function powersInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.powerW.on(signals);
  }
}

function largestDutiesInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.motorDutyMax.on(signals);
  }
}

function windsInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.windMps.on(signals);
  }
}

function lowestVoltagesInto(out: Float64Array, count: number, sample: SampleElements): void {
  const { signals } = sample;
  for (let k = 0; k < count; k += 1) {
    sample.select(k);
    out[k] = SIGNAL_QUANTITIES.batteryVoltageV.on(signals);
  }
}
