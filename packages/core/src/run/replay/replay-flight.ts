/**
 * Replays a recording: the engine is the same, but the sources return recorded values. Optionally, another integrator
 * or model is used, or some stages run live.
 *
 * With the recorded configuration the plant digest must be reproduced, and the result reports whether it was. If the
 * configuration was changed, the result lists the sections that differ from the recorded flight.
 */
import type { BoundaryView, FlightEnd, Observer } from "../../engine/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { type FedRecording, type Recording, recordErrors } from "../../record/index.ts";
import type { PlainObject } from "../../params/index.ts";
import { canonicalJson } from "../../describe/definition/canonical.ts";
import { checkDefinition } from "../../describe/definition/check-definition.ts";
import type { ChosenKind, FlightDefinition, RunSettings } from "../../describe/definition/definition.ts";
import { NOT_JUDGED } from "../../describe/sections/judged-spec.ts";
import type { MeasureResult } from "../../requirements/measure.ts";
import type { Verdict } from "../../requirements/verdict.ts";
import { coreRegistry, type Registry } from "../../describe/registry.ts";
import type { ReplayedStage } from "../assemble.ts";
import { Run, type RunOptions } from "../run.ts";

/** Options of a replay: what to change, e.g. the integrator, and what to observe. */
export interface ReplayFlightOptions extends Pick<
  RunOptions,
  "registry" | "record" | "codegen" | "require" | "measures"
> {
  /** Replaces the recorded integrator. */
  readonly integrator?: ChosenKind;
  /** Sections that replace sections of the recorded definition, e.g. `{ vehicle: … }`. */
  readonly changes?: Partial<FlightDefinition>;
  /** Stages that run live instead of being replayed. */
  readonly live?: readonly ReplayedStage[];
  /**
   * Plant digests during the flight. They show when the bits begin to differ, and verify a recording that has no final
   * digest.
   */
  readonly marks?: readonly DigestMark[];
  /** Called at the boundaries of the replay. */
  readonly observers?: readonly Observer[];
}

/** The plant digest after the boundary at that time. */
export type DigestMark = readonly [tUs: number, plant: string];

/** The result of a replay, and whether its bits equal those of the recording. */
export interface ReplayResult {
  readonly end: FlightEnd;
  readonly plantDigest: string;
  /**
   * Whether the plant has the recorded bits. If the recording has no final digest, this is known up to the last mark
   * only.
   */
  readonly reproduces: boolean;
  /** Time of the first mark whose digest differs. */
  readonly differsUs?: number;
  /** Sections in which this replay differs from the recorded flight. */
  readonly changed: readonly string[];
  readonly recording?: Recording;
  /** One verdict per requirement in the option `require`, evaluated as in a flight. */
  readonly verdicts: readonly Verdict[];
  readonly measures: readonly MeasureResult[];
}

/** Returns the flight definition in a recording. Throws a typed error if there is none, or if it is not valid. */
export function definitionOf(
  { resolved }: Pick<Recording, "resolved">,
  registry: Registry = coreRegistry,
): FlightDefinition {
  if (resolved === null || resolved === undefined) {
    throw recordErrors.notReflyable({
      what: "the recording holds no definition, because the flight was assembled in code",
      fix: "replay it with the parts it was flown with",
    });
  }
  return checkDefinition(resolved, { registry });
}

/** The settings of a run without a description. */
const NO_SETTINGS: RunSettings = {
  about: "",
  vehicle: "",
  eventsFrom: [],
  outputs: { logs: [], recording: "", picture: "", paceX: 0, overwrite: false },
};

/**
 * Flies a recording again from its recorded inputs and reports whether the plant has the same bits. The values of a
 * `FedRecording` are read from its file during the replay.
 */
export function replayFlight(recording: Recording | FedRecording, options: ReplayFlightOptions = {}): ReplayResult {
  const recorded = definitionOf(recording, options.registry);
  const { changes, integrator = changes?.integrator ?? recorded.integrator, live = [], record = false } = options;
  const definition: FlightDefinition = { ...recorded, ...changes, integrator };
  const marks = new MarkChecker(options.marks ?? [], () => run.assembled.fingerprint!.result().plant);
  const run: Run = new Run(
    { definition, hash: "", settings: NO_SETTINGS, judged: NOT_JUDGED },
    {
      ...options,
      fingerprint: record ? "all" : "plant",
      replay: { recording, live },
      observers: [marks, ...(options.observers ?? [])],
    },
  );
  const { result, failure } = run.toEndNow();
  if (failure !== undefined) throw failure;
  const plantDigest = result.digests.plant;
  const hasFinalDigest = recording.digests.plant !== "";
  return {
    end: result.end,
    plantDigest,
    verdicts: result.verdicts,
    measures: result.measures,
    reproduces: hasFinalDigest ? plantDigest === recording.digests.plant : marks.allMatch,
    ...(marks.differsUs === undefined ? {} : { differsUs: marks.differsUs }),
    changed: changedSections(recorded, definition),
    ...(record ? { recording: run.recorded().recording } : {}),
  };
}

/** Compares the digest at every mark. */
class MarkChecker implements Observer {
  differsUs: number | undefined;
  private readonly marks: readonly DigestMark[];
  private readonly digest: () => string;
  private next = 0;

  constructor(marks: readonly DigestMark[], digest: () => string) {
    this.marks = marks;
    this.digest = digest;
  }

  /** True if there were marks and the digest matched at each. */
  get allMatch(): boolean {
    return this.marks.length > 0 && this.next === this.marks.length && this.differsUs === undefined;
  }

  readonly observe = ({ frame }: BoundaryView): void => {
    const mark = this.marks[this.next];
    if (mark === undefined || frame[0]! < mark[0]) return;
    this.next += 1;
    const isSame = frame[0] === mark[0] && this.digest() === mark[1];
    if (!isSame) this.differsUs ??= mark[0];
  };

  save(writer: SnapshotWriter): void {
    writer.section("marks");
    writer.number(this.next);
    writer.number(this.differsUs ?? -1);
  }

  load(reader: SnapshotReader): void {
    reader.section("marks");
    this.next = reader.number();
    const differsUs = reader.number();
    this.differsUs = differsUs < 0 ? undefined : differsUs;
  }
}

function changedSections(recorded: FlightDefinition, definition: FlightDefinition): string[] {
  const sections = Object.keys(definition) as (keyof FlightDefinition)[];
  return sections.filter(
    (section) => canonicalJson(recorded[section] as PlainObject) !== canonicalJson(definition[section] as PlainObject),
  );
}
