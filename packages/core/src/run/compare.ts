/**
 * Replays one recording with several integrators or models, and measures the error and the cost of each.
 *
 * By default all variants replay the same commands, wind and faults, open loop. So a difference comes from the
 * integrator and not from a controller's response to it; but nothing corrects it, and it grows with time. With live
 * stages the loop is closed. States are compared at the log ticks that all variants share.
 */
import { DEG_PER_RAD } from "../math/angle.ts";
import { quatAngleBetween } from "../math/index.ts";
import { findBlock, findStream, type Recording, type Stream } from "../record/index.ts";
import type { ReplayedStage } from "./assemble.ts";
import { type ReplayFlightOptions, replayFlight, type ReplayResult } from "./replay-flight.ts";

export interface Variant {
  readonly label: string;
  readonly options: Omit<ReplayFlightOptions, "record" | "live">;
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

/** Unit and factor for display: angles in degrees, rotor speeds in rad/s. */
export function shownAs(name: ComparedName): { readonly unit: string; readonly factor: number } {
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
   * shortest time counts.
   */
  readonly now?: () => number;
}

const TIMED_ROUNDS = 3;

/** Replays a recording with several integrators and measures how far each is from a reference. */
export function compareReplays(
  recording: Recording,
  { variants, reference, live = [], now }: CompareOptions,
): ReplayComparison {
  const replay = ({ options }: Variant, record: boolean) => replayFlight(recording, { ...options, live, record });
  const truth = stateOf(replay(reference, true));
  const results = variants.map((variant) => replay(variant, true));
  const wallS = now === undefined ? variants.map(() => 0) : timed(variants, (variant) => replay(variant, false), now);
  const rows = variants.map(({ label }, i) => {
    const result = results[i]!;
    return { label, wallS: wallS[i]!, ...measured(recording, stateOf(result), truth), ...costOf(result) };
  });
  return { reference: reference.label, timesUs: truth.timesUs, rows };
}

/**
 * Times replays without a recorder, in rounds after every variant has flown once; otherwise the first variant would pay
 * for the warm-up of all.
 */
function timed(variants: readonly Variant[], replay: (variant: Variant) => void, now: () => number): number[] {
  const least = variants.map(() => Infinity);
  for (let round = 0; round < TIMED_ROUNDS; round += 1) {
    variants.forEach((variant, i) => {
      const startedS = now();
      replay(variant);
      least[i] = Math.min(least[i]!, now() - startedS);
    });
  }
  return least;
}

/**
 * Returns the last log tick up to which an open-loop replay stays within `limitM` of the recorded path. Later errors
 * measure the instability of a vehicle that nothing controls, rather than the integrator.
 */
export function pathFollowedUntilUs(recording: Recording, { options }: Variant, limitM: number): number {
  const replayed = stateOf(replayFlight(recording, { ...options, record: true }));
  const recorded = findStream(recording, "state");
  const place = findBlock(recording, COMPARED.position.block);
  if (place === undefined) return recording.endUs;
  const rows = Math.min(replayed.timesUs.length, recorded.timesUs.length);
  for (let row = 1; row < rows; row += 1) {
    if (!(distanceAt(replayed, recorded, row, place) <= limitM)) return recorded.timesUs[row - 1]!;
  }
  return recording.endUs;
}

function stateOf(result: ReplayResult): Stream {
  return findStream(result.recording!, "state");
}

function costOf({
  end,
  reproduces,
}: ReplayResult): Pick<ComparisonRow, "evaluations" | "accepted" | "rejected" | "reproduces"> {
  const { evaluations, accepted, rejected } = end.stats;
  return { evaluations, accepted, rejected, reproduces };
}

function measured(recording: Recording, state: Stream, truth: Stream): Pick<ComparisonRow, "errors" | "series"> {
  const errors: Partial<Record<ComparedName, ErrorMeasure>> = {};
  const series: Partial<Record<ComparedName, Float64Array>> = {};
  for (const name of Object.keys(COMPARED) as ComparedName[]) {
    const place = findBlock(recording, COMPARED[name].block);
    if (place === undefined) continue;
    const distances = Float64Array.from({ length: truth.timesUs.length }, (_, row) =>
      name === "attitude" ? angleAt(state, truth, row, place.offset) : distanceAt(state, truth, row, place),
    );
    series[name] = distances;
    errors[name] = measureOf(distances, truth.timesUs);
  }
  return { errors, series };
}

function distanceAt(a: Stream, b: Stream, row: number, { offset, size }: { offset: number; size: number }): number {
  let sum = 0;
  for (let i = 0; i < size; i += 1) {
    const difference = a.values[row * a.size + offset + i]! - b.values[row * b.size + offset + i]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

function angleAt(a: Stream, b: Stream, row: number, offset: number): number {
  const at = row * a.size + offset;
  return quatAngleBetween(a.values.subarray(at, at + 4), b.values.subarray(at, at + 4));
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
