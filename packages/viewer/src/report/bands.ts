/**
 * Time spans that are shaded on the plots of a flight: faults, gusts, and motors at their limits.
 *
 * They are read from the held signals, so a band begins and ends exactly at a boundary, however coarse the log is.
 */
import {
  BusLayout,
  EVENT_TEXTS,
  type FedRecording,
  SENSORS,
  type SignalName,
  SIGNALS,
  type ValueFeed,
  valueName,
} from "@escapement/core";

export interface Band {
  readonly kind: "fault" | "gust" | "saturation";
  readonly label: string;
  /** Seconds. */
  readonly from: number;
  readonly to: number;
}

/** Returns the label of the band that a row belongs to; undefined if it belongs to none. */
type LabelOf = (row: Float64Array) => string | undefined;

const { motorJam: JAM, batteryConnected: BATTERY, sensorFaultKind: FAULT, landDetected: LAND } = SIGNALS;
/** Gaps shorter than this fraction of a flight are invisible, so the bands on both sides are joined. */
const JOINED_FRACTION = 1 / 2000;

/** Finds the bands of a flight while it is read. */
export class BandWatch {
  private readonly faults: readonly WatchedSignals[];
  private readonly saturation: readonly WatchedSignals[];
  private readonly endS: number;

  constructor({ dims, endUs }: Pick<FedRecording, "dims" | "endUs">, { bus }: Pick<ValueFeed, "bus">) {
    this.endS = endUs / 1e6;
    const layout = new BusLayout(dims);
    const watch: Watch = (kind, signals, labels) => {
      const cells = signals.map((signal) => {
        const { offset, size } = layout.find(signal);
        return bus.subarray(offset, offset + size);
      });
      return new WatchedSignals(cells, labels, { kind, gapS: JOINED_FRACTION * this.endS });
    };
    this.faults = faultsOf(dims, watch);
    this.saturation = saturationOf(dims, watch);
  }

  /** Reads the values that the bus has at this time. */
  observe(tUs: number): void {
    for (const watched of this.faults) watched.observe(tUs / 1e6);
    for (const watched of this.saturation) watched.observe(tUs / 1e6);
  }

  /** Returns the bands: faults and gusts, then saturated motors, each in the order in which they begin. */
  bands(): Band[] {
    const inOrder = (group: readonly WatchedSignals[]) =>
      group.flatMap((watched) => watched.bandsTo(this.endS)).sort((a, b) => a.from - b.from);
    return [...inOrder(this.faults), ...inOrder(this.saturation)];
  }
}

type Watch = (kind: Band["kind"], signals: readonly SignalName[], labels: readonly LabelOf[]) => WatchedSignals;

function faultsOf({ rotors, batteries }: FedRecording["dims"], watch: Watch): WatchedSignals[] {
  return [
    watch("gust", ["windGustNed"], [(wind) => (wind.some((value) => value !== 0) ? "gust" : undefined)]),
    watch(
      "fault",
      ["motorGain", "motorOffset", "motorJam"],
      indicesBelow(rotors).map(
        (i): LabelOf =>
          (row) =>
            motorFault(i + 1, row[i]!, row[rotors + i]!, row[2 * rotors + i]!),
      ),
    ),
    watch(
      "fault",
      ["propellerChip"],
      indicesBelow(rotors).map(
        (i): LabelOf =>
          ({ [i]: share }) =>
            share! > 0 ? EVENT_TEXTS.propellerChipped({ motor: i + 1, share: share! }) : undefined,
      ),
    ),
    watch(
      "fault",
      ["propellerImbalance"],
      indicesBelow(rotors).map(
        (i): LabelOf =>
          ({ [i]: imbalance }) =>
            imbalance! > 0
              ? EVENT_TEXTS.propellerUnbalanced({ motor: i + 1, imbalanceGmm: imbalance! * 1e6 })
              : undefined,
      ),
    ),
    watch(
      "fault",
      ["batteryConnected"],
      indicesBelow(batteries).map(
        (i): LabelOf =>
          (row) =>
            row[i] === BATTERY.values.connected ? undefined : EVENT_TEXTS.batteryOff({ battery: i + 1 }),
      ),
    ),
    watch(
      "fault",
      ["sensorFaultKind"],
      SENSORS.map(
        (sensor, i): LabelOf =>
          (row) =>
            row[i] === FAULT.values.healthy
              ? undefined
              : EVENT_TEXTS.sensorFault({ sensor, fault: valueName("sensorFaultKind", row[i]!) }),
      ),
    ),
  ];
}

function motorFault(motor: number, gain: number, offset: number, jam: number): string | undefined {
  if (jam === JAM.values.jammed) return EVENT_TEXTS.motorJammed({ motor });
  if (gain === 0) {
    return offset === 0 ? EVENT_TEXTS.motorOff({ motor }) : EVENT_TEXTS.motorStuck({ motor, duty: offset });
  }
  if (gain !== 1) return EVENT_TEXTS.motorLoss({ motor, gain });
  return offset === 0 ? undefined : EVENT_TEXTS.motorNoisy({ motor });
}

/** Watches for spans in which the autopilot demands more than the motors can deliver, or a motor is at full duty. */
function saturationOf({ rotors }: FedRecording["dims"], watch: Watch): WatchedSignals[] {
  // Ignore the demand of the idling controller on the ground, because it is meaningless.
  const unmet: LabelOf = (row) =>
    row[4] === LAND.values["in the air"] && row.slice(0, 4).some((value) => Math.abs(value) > 1e-6)
      ? "demand not met"
      : undefined;
  const full = indicesBelow(rotors).map(
    (i): LabelOf =>
      (row) =>
        row[i]! >= 1 ? `motor ${i + 1} at its limit` : undefined,
  );
  return [watch("saturation", ["unallocated", "landDetected"], [unmet]), watch("saturation", ["motorCommand"], full)];
}

interface BandRules {
  readonly kind: Band["kind"];
  /** Bands with a shorter gap between them are joined. */
  readonly gapS: number;
}

/**
 * Copies the values of several signals into one row. Each label function reads that row, and its labels form a track of
 * bands.
 */
class WatchedSignals {
  private readonly cells: readonly Float64Array[];
  private readonly row: Float64Array;
  private readonly labels: readonly LabelOf[];
  private readonly tracks: readonly BandTrack[];
  private hasRow = false;

  constructor(cells: readonly Float64Array[], labels: readonly LabelOf[], rules: BandRules) {
    this.cells = cells;
    this.row = new Float64Array(cells.reduce((size, { length }) => size + length, 0));
    this.labels = labels;
    this.tracks = labels.map(() => new BandTrack(rules));
  }

  observe(tS: number): void {
    if (!this.takeRow()) return;
    for (let i = 0; i < this.tracks.length; i += 1) this.tracks[i]!.set(this.labels[i]!(this.row), tS);
  }

  bandsTo(endS: number): Band[] {
    return this.tracks.flatMap((track) => track.bandsTo(endS));
  }

  /** Copies the values; false if none of them has changed. */
  private takeRow(): boolean {
    let isChanged = !this.hasRow;
    let offset = 0;
    for (const values of this.cells) {
      for (let i = 0; i < values.length; i += 1) {
        if (this.row[offset + i] !== values[i]) isChanged = true;
        this.row[offset + i] = values[i]!;
      }
      offset += values.length;
    }
    this.hasRow = true;
    return isChanged;
  }
}

/** Spans over which a label stays the same. */
class BandTrack {
  private readonly rules: BandRules;
  private readonly bands: Band[] = [];
  private label: string | undefined;
  private from = 0;

  constructor(rules: BandRules) {
    this.rules = rules;
  }

  set(label: string | undefined, tS: number): void {
    if (label === this.label) return;
    this.close(tS);
    this.label = label;
    this.from = tS;
  }

  bandsTo(endS: number): readonly Band[] {
    this.set(undefined, endS);
    return this.bands;
  }

  private close(to: number): void {
    const { label, from, bands } = this;
    if (label === undefined) return;
    const { kind, gapS } = this.rules;
    const last = bands.at(-1);
    if (last !== undefined && last.label === label && from - last.to <= gapS) bands[bands.length - 1] = { ...last, to };
    else bands.push({ kind, label, from, to });
  }
}

function indicesBelow(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
