/**
 * Builds a flight from its definition: plant, sources and observers, connected to each other.
 *
 * Every bit of the flight depends only on the definition and on the custom parts that replace parts of it. Sinks,
 * probes, observers and the recorder only read.
 */
import { secondsToUs } from "../time/index.ts";
import { Flight, type FlightParts, type Observer, type Probe, type Sink } from "../engine/index.ts";
import { type FedRecording, Fingerprint, Recorder, type Recording, replayParts } from "../record/index.ts";
import type { Multirotor } from "../multirotor/plant.ts";
import { buildPlant, buildSources, type ReplacedParts } from "../describe/build/build-parts.ts";
import { dimsOf } from "../describe/definition/dims.ts";
import type { FlightDefinition } from "../describe/definition/definition.ts";
import type { Registry } from "../describe/registry.ts";
import type { Judged } from "../requirements/judge.ts";
import { FlightJudge } from "./judge/flight-judge.ts";
import { SummaryObserver } from "./summary/summary.ts";
import { TrackObserver } from "./summary/track.ts";
import { plantParts } from "./variants.ts";

/** Stages of a flight that a replay may run live. */
export type ReplayedStage = "scenario" | "wind" | "sensors" | "estimator" | "autopilot";

/** Custom parts, and options for the assembly of a flight. */
export interface AssembleOptions extends ReplacedParts {
  /** The recording replaces the times and sources of the definition, except the sources of live stages. */
  readonly replay?: { readonly recording: Recording | FedRecording; readonly live: readonly ReplayedStage[] };
  /** The plant of this definition, if it exists already. Plants hold state, so no other flight may use it. */
  readonly plant?: Multirotor | undefined;
  readonly sinks?: readonly Sink[];
  readonly probes?: readonly Probe[];
  /** Further observers, called after the digests and the recorder. */
  readonly observers?: readonly Observer[];
  /** Requirements to judge and measures to compute. They do not affect the flight. */
  readonly judged?: Judged;
  readonly record?: boolean;
  /**
   * `all`: the plant digest and one digest per writer; `plant`: only the plant digest, which is cheaper; `none`: no
   * digest, which is fastest.
   */
  readonly fingerprint?: "all" | "plant" | "none";
  /** Hash of the definition, for checkpoints. */
  readonly hash?: string;
  /** If false, uses the equations as written instead of code generated for the vehicle. The bits are the same. */
  readonly codegen?: boolean;
}

/** A flight with the observers that summarise it. */
export interface AssembledFlight {
  readonly flight: Flight;
  readonly plant: Multirotor;
  readonly summary: SummaryObserver;
  readonly track: TrackObserver;
  readonly fingerprint?: Fingerprint;
  readonly recorder?: Recorder;
  readonly judge?: FlightJudge;
}

/** Builds the plant, the sources and the observers of a definition and wires them into a flight. */
export function assemble(
  definition: FlightDefinition,
  registry: Registry,
  options: AssembleOptions = {},
): AssembledFlight {
  const { replay, plant = buildPlant(definition, registry) } = options;
  const dims = dimsOf(plant, definition);
  const build = () => buildSources(definition, registry, plant, options);
  const timesAndSources =
    replay === undefined
      ? { ...times(definition), dims, ...build() }
      : replayParts(replay.recording, plant.layout, { live: liveParts(replay.live, build), dims });
  const { messages } = timesAndSources.autopilot ?? {};
  const summary = new SummaryObserver(dims, plant.layout, {
    ...definition,
    ...(messages === undefined ? {} : { messages }),
  });
  const track = new TrackObserver(plant.layout);
  const mode = options.fingerprint ?? "all";
  const fingerprint = mode === "none" ? undefined : new Fingerprint(dims, { writers: mode === "all" });
  const recorder = options.record === true ? new Recorder(dims, plant.layout) : undefined;
  const { judged } = options;
  const isJudged = judged !== undefined && judged.requirements.length + (judged.measures?.length ?? 0) > 0;
  const judge = isJudged ? new FlightJudge(judged, { dims, layout: plant.layout, definition }) : undefined;
  const observers = [fingerprint, recorder, summary, track, judge, ...(options.observers ?? [])].filter(
    (part) => part !== undefined,
  );
  const parts: FlightParts = {
    ...timesAndSources,
    ...plantParts(definition, registry, plant, options.codegen),
    observers,
    commandPolicy: definition.commandPolicy,
    ...(options.hash === undefined ? {} : { hash: options.hash }),
    ...(options.sinks === undefined ? {} : { sinks: options.sinks }),
    ...(options.probes === undefined ? {} : { probes: options.probes }),
  };
  return {
    flight: new Flight(parts),
    plant,
    summary,
    track,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(recorder === undefined ? {} : { recorder }),
    ...(judge === undefined ? {} : { judge }),
  };
}

function times({ timeline }: FlightDefinition): Pick<FlightParts, "endUs" | "logPeriodUs" | "physicsPeriodUs"> {
  const { endS, logPeriodS, physicsPeriodS } = timeline;
  const physicsPeriodUs = secondsToUs(physicsPeriodS);
  return {
    endUs: secondsToUs(endS),
    logPeriodUs: secondsToUs(logPeriodS),
    ...(physicsPeriodUs > 0 ? { physicsPeriodUs } : {}),
  };
}

type Sources = Pick<FlightParts, ReplayedStage>;

/**
 * Returns the sources of the live stages. If there are none, nothing is built, because a recording may come from parts
 * that this program cannot build.
 */
function liveParts(live: readonly ReplayedStage[], build: () => Sources): Sources {
  if (live.length === 0) return {};
  const all = build();
  return Object.fromEntries(Object.entries(all).filter(([stage]) => live.includes(stage as ReplayedStage)));
}
