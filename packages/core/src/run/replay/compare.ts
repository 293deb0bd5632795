/**
 * Replays one recording with several integrators or models, and measures the error and the cost of each.
 *
 * By default all variants replay the same commands, wind and faults, open loop. So a difference comes from the
 * integrator and not from a controller's response. But no controller corrects the difference, so it grows with time.
 * With live stages the loop is closed. States are compared at the log ticks that all variants share.
 */
import { DEG_PER_RAD } from "../../math/angle.ts";
import { quatAngleBetween } from "../../math/index.ts";
import { type BoundaryView, DUE_BITS, type Observer } from "../../engine/index.ts";
import { asFed, type FedRecording, findBlock, type Recording } from "../../record/index.ts";
import { GrowingFloats } from "../../record/growing.ts";
import type { ReplayedStage } from "../assemble.ts";
import { type ReplayFlightOptions, replayFlight, type ReplayResult } from "./replay-flight.ts";

export interface Variant {
  readonly label: string;
  readonly options: Omit<ReplayFlightOptions, "record" | "live" | "observers">;
}

/** The error of one quantity over a flight. */
export interface ErrorMeasure {
  readonly max: number;
  readonly rms: number;
  readonly final: number;
  /** Time of the largest error. */
  readonly maxUs: number;
}

/** The compared blocks, in table order. The error is the norm over a block's components; for attitude, an angle. */
export const COMPARED = {
  position: { block: "posNed", unit: "m" },
  velocity: { block: "velNed", unit: "m/s" },
  attitude: { block: "qBodyToNed", unit: "rad" },
  rate: { block: "rateBody", unit: "rad/s" },
  rotor: { block: "rotorSpeed", unit: "rad/s" },
  soc: { block: "batterySoc", unit: "1" },
  v1: { block: "batteryV1", unit: "V" },
} as const;
export type ComparedName = keyof typeof COMPARED;

/** Returns unit and factor for display: angles in degrees, rotor speeds in rad/s. */
export function displayUnit(name: ComparedName): { readonly unit: string; readonly factor: number } {
  if (name === "attitude") return { unit: "°", factor: DEG_PER_RAD };
  if (name === "rate") return { unit: "°/s", factor: DEG_PER_RAD };
  return { unit: COMPARED[name].unit, factor: 1 };
}

export interface ComparisonRow {
  readonly label: string;
  readonly errors: Readonly<Partial<Record<ComparedName, ErrorMeasure>>>;
  readonly evaluations: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Wall time measured by `now`; 0 without it. */
  readonly wallS: number;
  readonly reproduces: boolean;
  /** The error of each quantity at every log tick, for plots. */
  readonly series: Readonly<Partial<Record<ComparedName, Float64Array>>>;
}

export interface ReplayComparison {
  readonly reference: string;
  readonly timesUs: Float64Array;
  readonly rows: readonly ComparisonRow[];
}

interface CompareOptions {
  readonly variants: readonly Variant[];
  readonly reference: Variant;
  /** Stages that run live in every variant; none by default. */
  readonly live?: readonly ReplayedStage[];
  /**
   * A clock in seconds; the core has none. If given, each variant is flown again several times after a warm-up; the
   * shortest time is reported.
   */
  readonly now?: () => number;
}

const TIMED_ROUNDS = 3;

/**
 * Replays a recording with several integrators and measures how far each is from a reference. Holds the states of the
 * reference and of one variant at a time.
 */
export function compareReplays(
  recording: Recording | FedRecording,
  { variants, reference, live = [], now }: CompareOptions,
): ReplayComparison {
  const replay = ({ options }: Variant, states?: StateLog) =>
    replayFlight(recording, { ...options, live, observers: states === undefined ? [] : [states] });
  const truth = new StateLog();
  replay(reference, truth);
  const measures = variants.map((variant) => {
    const states = new StateLog();
    const result = replay(variant, states);
    return { ...measureErrors(recording, states, truth), ...costOf(result) };
  });
  const wallS = now === undefined ? variants.map(() => 0) : timeReplays(variants, (variant) => replay(variant), now);
  const rows = variants.map(({ label }, i) => ({ label, wallS: wallS[i]!, ...measures[i]! }));
  return { reference: reference.label, timesUs: truth.timesUs.view().slice(), rows };
}

/** The states of a replay at its log ticks. */
class StateLog implements Observer {
  readonly timesUs = new GrowingFloats();
  private readonly values = new GrowingFloats();
  private size = 0;

  readonly observe = ({ frame, due, stateSize }: BoundaryView): void => {
    if ((due & DUE_BITS.log) === 0) return;
    this.size = stateSize;
    this.timesUs.append(frame, 0, 1);
    this.values.append(frame, 1, stateSize);
  };

  get rows(): number {
    return this.timesUs.length;
  }

  /** Returns the values of a block in one row. */
  block(row: number, { offset, size }: BlockPlace): Float64Array {
    const at = row * this.size + offset;
    return this.values.view().subarray(at, at + size);
  }
}

type BlockPlace = NonNullable<ReturnType<typeof findBlock>>;

/**
 * Times replays without a recorder, in rounds after every variant has flown once. Without that first flight, the time
 * of the first variant would include the warm-up.
 */
function timeReplays(variants: readonly Variant[], replay: (variant: Variant) => void, now: () => number): number[] {
  const shortestS = variants.map(() => Infinity);
  for (let round = 0; round < TIMED_ROUNDS; round += 1) {
    variants.forEach((variant, i) => {
      const startedS = now();
      replay(variant);
      shortestS[i] = Math.min(shortestS[i]!, now() - startedS);
    });
  }
  return shortestS;
}

/**
 * Returns the last log tick up to which an open-loop replay stays within `limitM` of the recorded path. Later errors
 * measure the instability of a vehicle that nothing controls, rather than the integrator.
 */
export function pathFollowedUntilUs(recording: Recording | FedRecording, { options }: Variant, limitM: number): number {
  const place = findBlock(recording, COMPARED.position.block);
  if (place === undefined) return recording.endUs;
  const feed = asFed(recording).openFeed();
  const positionOf = (frame: BoundaryView["frame"]) =>
    frame.subarray(1 + place.offset, 1 + place.offset + place.size) as Float64Array;
  const recorded = positionOf(feed.frame);
  let [followedUs, hasLeft] = [recording.startUs, false];
  const observe = ({ frame, due }: BoundaryView): void => {
    if (hasLeft || (due & DUE_BITS.log) === 0) return;
    feed.advanceTo(frame[0]!);
    hasLeft = !(distance(positionOf(frame), recorded) <= limitM);
    if (!hasLeft) followedUs = frame[0]!;
  };
  replayFlight(recording, { ...options, observers: [{ observe }] });
  return hasLeft ? followedUs : recording.endUs;
}

function costOf({
  end,
  reproduces,
}: ReplayResult): Pick<ComparisonRow, "evaluations" | "accepted" | "rejected" | "reproduces"> {
  const { evaluations, accepted, rejected } = end.stats;
  return { evaluations, accepted, rejected, reproduces };
}

function measureErrors(
  recording: Pick<Recording, "stateBlocks">,
  states: StateLog,
  truth: StateLog,
): Pick<ComparisonRow, "errors" | "series"> {
  const errors: Partial<Record<ComparedName, ErrorMeasure>> = {};
  const series: Partial<Record<ComparedName, Float64Array>> = {};
  for (const name of Object.keys(COMPARED) as ComparedName[]) {
    const place = findBlock(recording, COMPARED[name].block);
    if (place === undefined) continue;
    const errorOf = name === "attitude" ? quatAngleBetween : distance;
    const distances = Float64Array.from({ length: truth.rows }, (_, row) =>
      errorOf(states.block(row, place), truth.block(row, place)),
    );
    series[name] = distances;
    errors[name] = measureOf(distances, truth.timesUs.view());
  }
  return { errors, series };
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i]! - b[i]!) * (a[i]! - b[i]!);
  return Math.sqrt(sum);
}

function measureOf(distances: Float64Array, timesUs: Float64Array): ErrorMeasure {
  let max = 0;
  let maxUs = timesUs[0] ?? 0;
  let squares = 0;
  distances.forEach((distance, i) => {
    squares += distance * distance;
    if (distance <= max) return;
    max = distance;
    maxUs = timesUs[i]!;
  });
  const count = distances.length;
  return { max, rms: count > 0 ? Math.sqrt(squares / count) : 0, final: distances[count - 1] ?? 0, maxUs };
}
