/**
 * Grafting: turns a checkpoint of a flight into a checkpoint of its branch (L11 in docs/contract.md).
 *
 * The branch then continues to the same digests as if it had been flown from its start. If a rule of L11 is violated,
 * the branch must be flown from its start, which is always correct.
 */
import type { Flight } from "../../engine/index.ts";
import { Fingerprint, FINGERPRINT_SECTION } from "../../record/index.ts";
import { snapshotErrors } from "../../snapshot/errors.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { followsChanges } from "../../sources/switched-source.ts";
import { EVENT_RECORD, parameterEvents } from "../../sources/scenario/index.ts";
import { secondsToUs } from "../../time/index.ts";
import { earliestUs } from "../../describe/definition/branch.ts";
import type { FlightDefinition, ResolvedFlight } from "../../describe/definition/definition.ts";
import { commonEvents, settingsText } from "../../describe/definition/family.ts";
import { hasSticks } from "../../describe/definition/dims.ts";
import type { ResolvedEvent } from "../../describe/sections/scenario-spec.ts";
import { JUDGE_SECTION } from "../judge/flight-judge.ts";
import { settingChanges } from "../../describe/build/setting-changes.ts";

/** Why a branch must be flown from its start. */
export class GraftRefusal {
  readonly rule: string;
  readonly why: string;

  constructor(rule: string, why: string) {
    this.rule = rule;
    this.why = why;
  }
}

/** The parent or the branch. The assembled parts show which of its sources react to the signal `settingChanges`. */
interface GraftedFlight {
  readonly resolved: ResolvedFlight;
  readonly flight: Flight;
  /** Texts of the requirements and measures whose monitors observe the flight. */
  readonly judgedTexts: readonly string[];
}

/**
 * Turns `whole`, a checkpoint of the parent, into a checkpoint of the branch at the same instant. Returns the rule that
 * forbids this, if there is one. A branch that computes no digests does not get those of its parent.
 */
export function graft(whole: Snapshot, from: GraftedFlight, to: GraftedFlight): Snapshot | GraftRefusal {
  const saved = hasFingerprint(to.flight) ? whole : withoutFingerprint(whole);
  const [parent, child] = [from.resolved, to.resolved];
  if (child.hash === parent.hash) return saved;
  const tUs = instantOf(saved);
  const parentIndices = commonEvents(parent.definition.scenario, child.definition.scenario);
  const memory = new ScenarioMemory(saved, parent.definition.scenario.length);
  const refusal =
    rejectOtherSettings(parent.definition, child.definition, tUs) ??
    rejectEarlierEvents(parent.definition, child.definition, parentIndices, tUs) ??
    rejectMovedEvents(parent.definition.scenario, child.definition.scenario, parentIndices, memory) ??
    rejectOtherMonitors(saved, from, to, parentIndices);
  if (refusal !== undefined) return refusal;
  const [followsBefore, followsAfter] = [changeFollowers(from.flight), changeFollowers(to.flight)];
  return new Snapshot(
    saved.sections.map(({ name, values }) => {
      if (name === "scenario")
        return { name, values: memory.forEvents(parentIndices.map((i) => (i < 0 ? undefined : i))) };
      return { name, values: withChanges(values, followsBefore.includes(name), followsAfter.includes(name)) };
    }),
    child.hash,
  );
}

function hasFingerprint({ parts }: Flight): boolean {
  return (parts.observers ?? []).some((observer) => observer instanceof Fingerprint);
}

function withoutFingerprint({ sections, flightHash }: Snapshot): Snapshot {
  return new Snapshot(
    sections.filter(({ name }) => name !== FINGERPRINT_SECTION),
    flightHash,
  );
}

/** Returns the sections of the sources that react to the signal `settingChanges`. */
function changeFollowers(flight: Flight): readonly string[] {
  return flight
    .sources()
    .filter(followsChanges)
    .map(({ writer }) => writer);
}

/**
 * If a source reacts to the signal `settingChanges`, its memory begins with the bit mask of the active changes that
 * affect it; other sources do not have this value. Adds or removes the value. An added value is 0, because the events
 * that differ have not happened.
 */
function withChanges(values: Float64Array, follows: boolean, willFollow: boolean): Float64Array {
  if (follows === willFollow) return values;
  return willFollow ? Float64Array.of(0, ...values) : values.subarray(1);
}

/** Returns the time of a checkpoint. Throws if it has none, which is possible for a checkpoint from outside. */
export function instantOf({ sections }: Snapshot): number {
  const tUs = sections.find(({ name }) => name === "schedule")?.values[0] ?? NaN;
  if (Number.isSafeInteger(tUs) && tUs >= 0) return tUs;
  throw snapshotErrors.mismatch({ what: "the checkpoint has no time", fix: "fly the flight from its start" });
}

/** Returns when each event of the scenario last happened; −1 if it has not happened. */
export function firedTimesUs(saved: Snapshot, eventCount: number): number[] {
  const memory = new ScenarioMemory(saved, eventCount);
  return Array.from({ length: eventCount }, (_, i) => memory.firedUs(i));
}

/** Checks rule L11.1. */
function rejectOtherSettings(parent: FlightDefinition, child: FlightDefinition, tUs: number): GraftRefusal | undefined {
  if (settingsText(parent) !== settingsText(child)) {
    return new GraftRefusal("L11.1", "the descriptions differ in more than events");
  }
  if (hasSticks(parent) !== hasSticks(child)) {
    return new GraftRefusal("L11.1", "only one of the flights has a pilot's sticks");
  }
  if (secondsToUs(child.timeline.endS) >= tUs) return undefined;
  return new GraftRefusal("L11.1", "the branch ends before the checkpoint");
}

/** Checks rule L11.2. */
function rejectEarlierEvents(
  parent: FlightDefinition,
  child: FlightDefinition,
  parentIndices: readonly number[],
  tUs: number,
): GraftRefusal | undefined {
  const added = child.scenario.filter((_, i) => parentIndices[i]! < 0);
  const dropped = parent.scenario.filter((_, i) => !parentIndices.includes(i));
  const early = added.find((event) => earliestUs(event) < tUs);
  if (early !== undefined) return new GraftRefusal("L11.2", `"${early.action}" can act before ${tUs / 1e6} s`);
  const missing = dropped.find((event) => earliestUs(event) <= tUs);
  if (missing === undefined) return undefined;
  return new GraftRefusal(
    "L11.2",
    `"${missing.action}", which the branch leaves out, can act at or before ${tUs / 1e6} s`,
  );
}

/** Checks rules L11.3 and L11.4. */
function rejectMovedEvents(
  parent: readonly ResolvedEvent[],
  child: readonly ResolvedEvent[],
  parentIndices: readonly number[],
  memory: ScenarioMemory,
): GraftRefusal | undefined {
  const [bitsBefore, bitsAfter] = [changeBits(parent), changeBits(child)];
  for (const [i, from] of parentIndices.entries()) {
    if (from < 0 || !memory.hasFired(from)) continue;
    if (from !== i) return new GraftRefusal("L11.3", `event ${from} has already happened and would become event ${i}`);
    if (bitsBefore.get(from) !== bitsAfter.get(i)) {
      return new GraftRefusal(
        "L11.4",
        `the change of event ${i} has already happened and would have a different position among the branch's changes`,
      );
    }
  }
  return undefined;
}

/**
 * L11.7: the memory of the monitors fits the branch if the same texts are judged, both flights end at the same time,
 * and no event that the texts name is added, left out or renumbered. Any word of a text that equals the name or the
 * action of an event counts as that event. This may refuse a graft unnecessarily, which is always safe.
 */
function rejectOtherMonitors(
  { sections }: Snapshot,
  from: GraftedFlight,
  to: GraftedFlight,
  parentIndices: readonly number[],
): GraftRefusal | undefined {
  if (!sections.some(({ name }) => name === JUDGE_SECTION)) return undefined;
  const [parent, child] = [from.resolved.definition, to.resolved.definition];
  if (from.judgedTexts.join("\n") !== to.judgedTexts.join("\n")) {
    return new GraftRefusal("L11.7", "the flights are judged by different requirements or measures");
  }
  if (parent.timeline.endS !== child.timeline.endS) {
    return new GraftRefusal("L11.7", "the flight has requirements, and the branch ends at another time");
  }
  const words = new Set(to.judgedTexts.flatMap((text) => text.match(/\w+/g) ?? []));
  const differing = [
    ...child.scenario.filter((_, i) => parentIndices[i] !== i),
    ...parent.scenario.filter((_, i) => parentIndices[i] !== i),
  ];
  const named = differing.find(({ name, action }) => words.has(action) || (name !== undefined && words.has(name)));
  if (named === undefined) return undefined;
  return new GraftRefusal("L11.7", `a requirement names the event "${named.name ?? named.action}", which differs`);
}

/** Returns the bits of parameter and setting changes, by the index of their event. */
function changeBits(scenario: readonly ResolvedEvent[]): ReadonlyMap<number, number> {
  const changes = [...parameterEvents(scenario), ...settingChanges(scenario)];
  return new Map(changes.map(({ index, bit }) => [index, bit]));
}

/** The scenario's section of a checkpoint: the values that all events share, then one record per event. */
class ScenarioMemory {
  private readonly values: Float64Array;
  private readonly shared: number;

  constructor({ sections }: Snapshot, eventCount: number) {
    this.values = sections.find(({ name }) => name === "scenario")!.values;
    this.shared = this.values.length - eventCount * EVENT_RECORD.length;
  }

  /** Returns when an event happened; −1 if it has not happened. */
  firedUs(event: number): number {
    return this.record(event)[0]!;
  }

  hasFired(event: number): boolean {
    return this.firedUs(event) !== EVENT_RECORD[0];
  }

  /**
   * Returns the section with the records of these events, which are given by their indices in this section; undefined
   * means an added event, which has not happened.
   */
  forEvents(events: readonly (number | undefined)[]): Float64Array {
    const records = events.flatMap((event) => (event === undefined ? EVENT_RECORD : Array.from(this.record(event))));
    return Float64Array.from([...this.values.subarray(0, this.shared), ...records]);
  }

  private record(event: number): Float64Array {
    const start = this.shared + event * EVENT_RECORD.length;
    return this.values.subarray(start, start + EVENT_RECORD.length);
  }
}
