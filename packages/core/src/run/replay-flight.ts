/**
 * Replays a recording: the same engine with recorded sources, and optionally another integrator, model or live stage.
 *
 * With the recorded configuration the plant digest must be reproduced, and the result reports whether it was. If the
 * configuration was changed, the result lists the sections that differ from the recorded flight.
 */
import { type BoundaryView, Flight, type FlightEnd, type FlightParts, flyNow, type Observer } from "../engine/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { Fingerprint, Recorder, type Recording, recordErrors, replayParts } from "../record/index.ts";
import type { PlainObject } from "../params/index.ts";
import { buildIntegrator, buildPlant, buildSources } from "../describe/build-parts.ts";
import { codeFor } from "./code.ts";
import { canonicalJson } from "../describe/canonical.ts";
import { checkDefinition } from "../describe/check-definition.ts";
import type { ChosenKind, FlightDefinition } from "../describe/definition.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";

export type ReplayedStage = "scenario" | "wind" | "sensors" | "estimator" | "autopilot";

/** What to change in a replay, e.g. the integrator. */
export interface ReplayFlightOptions {
  readonly registry?: Registry;
  /** Replaces the recorded integrator. */
  readonly integrator?: ChosenKind;
  /** Sections that replace those of the recorded definition, e.g. `{ vehicle: … }`. */
  readonly changes?: Partial<FlightDefinition>;
  /** Stages that run live instead of being replayed. */
  readonly live?: readonly ReplayedStage[];
  readonly record?: boolean;
  /** Plant digests during the flight. They show when the bits begin to differ, and check a recording without an end. */
  readonly marks?: readonly DigestMark[];
  /** False: use the equations as written. */
  readonly codegen?: boolean;
}

/** The plant digest after the boundary at that time. */
export type DigestMark = readonly [tUs: number, plant: string];

/** What a replay gave, and whether it has the bits of the recording. */
export interface ReplayResult {
  readonly end: FlightEnd;
  readonly plantDigest: string;
  /** Whether the plant has the recorded bits. If the recording has no end, this holds up to its last mark. */
  readonly reproduces: boolean;
  /** Time of the first mark whose digest differs. */
  readonly differsUs?: number;
  /** Sections in which this replay differs from the recorded flight. */
  readonly changed: readonly string[];
  readonly recording?: Recording;
}

/** The flight definition in a recording. Throws a typed error if there is none, or if it is not valid. */
export function definitionOf({ resolved }: Recording, registry: Registry = coreRegistry): FlightDefinition {
  if (resolved === null || resolved === undefined) {
    throw recordErrors.notReflyable({
      what: "the recording holds no resolved flight: it was wired by hand",
      fix: "replay it with the parts it was flown with",
    });
  }
  return checkDefinition(resolved, { registry });
}

/** Flies a recording again from its recorded inputs and says whether the plant has the same bits. */
export function replayFlight(recording: Recording, options: ReplayFlightOptions = {}): ReplayResult {
  const registry = options.registry ?? coreRegistry;
  const recorded = definitionOf(recording, registry);
  const definition: FlightDefinition = {
    ...recorded,
    ...options.changes,
    ...(options.integrator === undefined ? {} : { integrator: options.integrator }),
  };
  const plant = buildPlant(definition, registry);
  const fingerprint = new Fingerprint(plant.dims, { writers: options.record === true });
  const recorder = options.record === true ? new Recorder(plant.dims, plant.layout) : undefined;
  const marks = new MarkWatch(fingerprint, options.marks ?? []);
  const code = codeFor(plant, options.codegen);
  const parts: FlightParts = {
    ...replayParts(recording, plant.layout, {
      live: liveParts(definition, registry, plant, options.live ?? []),
      dims: plant.dims,
    }),
    plant,
    integrator: (context) => buildIntegrator(registry, definition.integrator, code.given(context)),
    code,
    observers: [fingerprint, marks, ...(recorder === undefined ? [] : [recorder])],
    commandPolicy: definition.commandPolicy,
  };
  const end = flyNow(new Flight(parts));
  const plantDigest = fingerprint.result().plant;
  const hasEnd = recording.digests.plant !== "";
  return {
    end,
    plantDigest,
    reproduces: hasEnd ? plantDigest === recording.digests.plant : marks.areMet,
    ...(marks.differsUs === undefined ? {} : { differsUs: marks.differsUs }),
    changed: changedSections(recorded, definition),
    ...(recorder === undefined
      ? {}
      : { recording: recorder.finish({ resolved: definition, resolvedHash: "", digests: fingerprint.result() }) }),
  };
}

/** Compares the digest at every mark. */
class MarkWatch implements Observer {
  differsUs: number | undefined;
  private readonly fingerprint: Fingerprint;
  private readonly marks: readonly DigestMark[];
  private next = 0;

  constructor(fingerprint: Fingerprint, marks: readonly DigestMark[]) {
    this.fingerprint = fingerprint;
    this.marks = marks;
  }

  /** True if there were marks and the digest matched at each. */
  get areMet(): boolean {
    return this.marks.length > 0 && this.next === this.marks.length && this.differsUs === undefined;
  }

  readonly observe = ({ frame }: BoundaryView): void => {
    const mark = this.marks[this.next];
    if (mark === undefined || frame[0]! < mark[0]) return;
    this.next += 1;
    const isSame = frame[0] === mark[0] && this.fingerprint.result().plant === mark[1];
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

type LiveParts = Pick<FlightParts, ReplayedStage>;

function liveParts(
  definition: FlightDefinition,
  registry: Registry,
  plant: ReturnType<typeof buildPlant>,
  live: readonly ReplayedStage[],
): LiveParts {
  if (live.length === 0) return {};
  const all = buildSources(definition, registry, plant);
  return Object.fromEntries(
    live.flatMap((stage) => (all[stage] === undefined ? [] : [[stage, all[stage]]])),
  ) as LiveParts;
}

function changedSections(recorded: FlightDefinition, definition: FlightDefinition): string[] {
  const sections = Object.keys(definition) as (keyof FlightDefinition)[];
  return sections.filter(
    (section) => canonicalJson(recorded[section] as PlainObject) !== canonicalJson(definition[section] as PlainObject),
  );
}
