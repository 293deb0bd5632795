/**
 * Bisection: finds why one flight had a good result and another a bad one.
 *
 * The first search is delta debugging over everything that differs between the two descriptions. It finds the cause: a
 * minimal set of differences that turns the good flight into a bad one. The second search finds the point of no return:
 * the last tick of the autopilot at which switching the cause off still changes the result. It flies branches, which
 * continue from checkpoints, instead of whole flights.
 */
import { SimError } from "../errors/index.ts";
import type { PlainObject } from "../params/index.ts";
import { secondsToUs } from "../time/index.ts";
import { resolveBranch } from "../describe/definition/branch.ts";
import type { ResolvedFlight } from "../describe/definition/definition.ts";
import { specOf, splitEvents } from "../describe/definition/definition-spec.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import { firedTimesUs } from "../run/session/graft.ts";
import { FlightSession, type SessionOptions } from "../run/session/session.ts";
import { type CauseTrial, CauseSearch, type JudgedFlight } from "./cause-search.ts";
import { type Criterion, ENDED_BEFORE, type Judgement, parseCriterion } from "./criterion.ts";
import { type FlightDifference, FlightMix } from "./differences.ts";
import { bisectErrors } from "./errors.ts";
import { searchLastFlip } from "./last-flip.ts";
import { CauseSwitch, eventsIn, type SwitchedFlight } from "./switching.ts";

/** The result that must differ, custom parts, and the progress callback of a search. */
export interface BisectOptions extends Pick<SessionOptions, "codegen"> {
  readonly registry?: Registry;
  /** The result that must differ: `outcome`, `fingerprint`, a comparison or a requirement. */
  readonly on: string;
  /** Called before each flight and branch. */
  readonly onProgress?: (cost: BisectCost, phase: "cause" | "instant") => void;
}

/** The cost of a search. Times are flight time. */
export interface BisectCost {
  readonly flights: number;
  readonly branches: number;
  /** Branches that continued from a checkpoint. All other branches were flown from the start of the flight. */
  readonly grafted: number;
  readonly flownS: number;
  /** Flight time that the same search would have needed without checkpoints. */
  readonly wholeS: number;
}

/** A difference as data: the value in the good flight and in the bad one; undefined if the flight does not have it. */
export interface DifferenceReport {
  readonly key: string;
  readonly kind: "setting" | "event";
  readonly good?: unknown;
  readonly bad?: unknown;
}

/** The bad flight with the cause switched off from a given instant on. */
interface SwitchTrial extends Judgement {
  readonly atUs: number;
  /** True if the result differs from the bad result. */
  readonly flips: boolean;
}

/** The point of no return, or the reason why there is none. */
export type PointOfNoReturn =
  | {
      readonly kind: "found";
      /** The last tick at which switching the cause off still changes the result. */
      readonly lastFlipUs: number;
      /** The next tick, at which switching the cause off does not change the result. */
      readonly firstKeptUs: number;
      /**
       * True if switching the cause off at an instant before `lastFlipUs` did not change the result, so that the answer
       * changes more than once.
       */
      readonly isMixed: boolean;
      /** The reasons why effects cannot be undone, by the key of the difference that has the effect. */
      readonly lasting: Readonly<Record<string, string>>;
      readonly trials: readonly SwitchTrial[];
    }
  /** Switching the cause off changed the result at none of the probed instants. */
  | { readonly kind: "never"; readonly trials: readonly SwitchTrial[] }
  /** No event can change the setting `key` in flight. */
  | { readonly kind: "impossible"; readonly key: string; readonly why: string }
  /** The cause cannot be switched off at this instant; `why` is the error of the branch's description. */
  | {
      readonly kind: "untried";
      readonly atUs: number;
      readonly why: string;
      readonly trials: readonly SwitchTrial[];
    };

/** The cause of the difference between two flights, and the cost of the search. */
export interface Bisection {
  readonly on: string;
  readonly good: Judgement;
  readonly bad: Judgement;
  readonly differences: readonly DifferenceReport[];
  /** A minimal set of differences that gives the bad result: without any one of them, the result is not the bad one. */
  readonly cause: readonly DifferenceReport[];
  readonly trials: readonly CauseTrial[];
  readonly pointOfNoReturn: PointOfNoReturn;
  readonly cost: BisectCost;
}

/** Number of instants to probe before the search, to detect whether the answer changes more than once. */
const PROBE_COUNT = 7;

/** Finds the cause of a difference. Throws a typed error if the options have errors or the results are equal. */
export function bisect(good: ResolvedFlight, bad: ResolvedFlight, options: BisectOptions): Bisection {
  return new Bisector(good, bad, options).run();
}

class Bisector {
  private readonly criterion: Criterion;
  private readonly mix: FlightMix;
  private readonly options: BisectOptions;
  private readonly registry: Registry;
  private readonly good: ResolvedFlight;
  private readonly bad: ResolvedFlight;
  private readonly counts = { flights: 0, branches: 0, grafted: 0, flownUs: 0, wholeUs: 0 };

  constructor(good: ResolvedFlight, bad: ResolvedFlight, options: BisectOptions) {
    this.good = good;
    this.bad = bad;
    this.options = options;
    this.registry = options.registry ?? coreRegistry;
    this.criterion = parseCriterion(options.on);
    this.mix = new FlightMix(good.definition, bad.definition);
  }

  run(): Bisection {
    this.criterion.check(this.session(this.good));
    const good = this.fly(this.good);
    const bad = this.fly(this.bad);
    this.checkResults(good, bad);
    const search = new CauseSearch(this.mix, good.judgement.result, bad, (spec) => this.flySpec(spec));
    const cause = search.run();
    return {
      on: this.criterion.text,
      good: good.judgement,
      bad: bad.judgement,
      differences: this.mix.differences.map(reportOf),
      cause: cause.map(reportOf),
      trials: search.trials,
      pointOfNoReturn: this.pointOfNoReturn(cause, good.session, search.smallest, bad.judgement.result),
      cost: this.cost,
    };
  }

  private get cost(): BisectCost {
    const { flights, branches, grafted, flownUs, wholeUs } = this.counts;
    return { flights, branches, grafted, flownS: flownUs / 1e6, wholeS: wholeUs / 1e6 };
  }

  private session(resolved: ResolvedFlight): FlightSession {
    const { codegen } = this.options;
    const { requirement } = this.criterion;
    return new FlightSession(resolved, {
      registry: this.registry,
      ...(codegen === undefined ? {} : { codegen }),
      ...(requirement === undefined ? {} : { require: [requirement] }),
    });
  }

  private fly(resolved: ResolvedFlight): JudgedFlight {
    this.options.onProgress?.(this.cost, "cause");
    const session = this.session(resolved);
    session.advance(this.criterion.untilUs);
    this.counts.flights += 1;
    this.counts.flownUs += session.nowUs;
    this.counts.wholeUs += session.nowUs;
    return { session, judgement: this.criterion.judge(session) };
  }

  /** Flies a description; undefined if it is not valid. */
  private flySpec(spec: PlainObject): JudgedFlight | undefined {
    const { resolved } = resolveFlight({ file: "mix", spec }, this.registry);
    return resolved === undefined ? undefined : this.fly(resolved);
  }

  private checkResults(good: JudgedFlight, bad: JudgedFlight): void {
    for (const { judgement, session } of [good, bad]) {
      if (judgement.result !== ENDED_BEFORE) continue;
      throw bisectErrors.notMeasured({
        what: `"${session.resolved.definition.name}" ended at ${session.nowUs / 1e6} s, before ${this.criterion.untilUs / 1e6} s`,
        where: { key: "on" },
        fix: "choose an instant that both flights reach, or compare the outcome",
      });
    }
    if (good.judgement.result !== bad.judgement.result) return;
    const { result } = good.judgement;
    const details = [good, bad].map(({ judgement }) => judgement.detail).filter((detail) => detail !== "");
    throw bisectErrors.sameResult({
      what: `by ${this.criterion.text}, both flights give the same result: ${[result, ...details].join("; ")}`,
      where: { key: "on" },
      fix:
        this.mix.differences.length === 0
          ? "use two flights that differ: these descriptions are equal"
          : "choose a result that differs, e.g. fingerprint, or a signal at an instant",
    });
  }

  private pointOfNoReturn(
    cause: readonly FlightDifference[],
    good: FlightSession,
    bad: FlightSession,
    badResult: string,
  ): PointOfNoReturn {
    const badUs = bad.nowUs;
    const badSpec = specOf(bad.resolved.definition);
    const pair = {
      mix: this.mix,
      goodSpec: specOf(good.resolved.definition),
      goodFiredUs: firedUs(good),
      badSpec,
      badFiredUs: firedUs(bad),
    };
    const switched = new CauseSwitch(pair, cause);
    const fixed = this.findFixedSetting(cause, switched, bad.resolved);
    if (fixed !== undefined) return fixed;
    const periodUs = secondsToUs(bad.resolved.definition.timeline.autopilotPeriodS);
    const first = Math.floor(switched.firstUs / periodUs);
    const isFirstKnown = cause.every(({ kind }) => kind === "event");
    const trials: SwitchTrial[] = [];
    const search = () =>
      searchLastFlip({
        first,
        last: Math.floor(Math.min(badUs, this.criterion.untilUs) / periodUs) + 1,
        probes: PROBE_COUNT,
        flips: (tick) => {
          // At the first tick no event of the cause has happened, so switching the cause off gives the good flight.
          if (tick === first && isFirstKnown) return true;
          const atUs = tick * periodUs;
          const judgement = this.flySwitched(bad, badSpec, switched.at(atUs)) ?? { result: badResult, detail: "" };
          const flips = judgement.result !== badResult;
          trials.push({ atUs, flips, ...judgement });
          return flips;
        },
      });
    const found = catchUntried(search);
    const inOrder = trials.sort((a, b) => a.atUs - b.atUs);
    if (found instanceof Untried) return { kind: "untried", atUs: found.atUs, why: found.why, trials: inOrder };
    if (found.lastFlip === undefined) return { kind: "never", trials: inOrder };
    return {
      kind: "found",
      lastFlipUs: found.lastFlip * periodUs,
      firstKeptUs: found.firstKept * periodUs,
      isMixed: found.isMixed,
      lasting: Object.fromEntries(switched.lasting),
      trials: inOrder,
    };
  }

  /** Returns the result `impossible` if a setting of the cause cannot change in flight; undefined if all can. */
  private findFixedSetting(
    cause: readonly FlightDifference[],
    switched: CauseSwitch,
    bad: ResolvedFlight,
  ): PointOfNoReturn | undefined {
    const settings = cause.filter((difference) => difference.kind === "setting");
    // Try each setting alone, then all of them, because together they may contradict each other or be too many.
    for (const together of [...settings.map((one) => [one]), settings]) {
      const events = switched.eventsFor(together);
      const why =
        together.length > 0 && events.length === 0 ? "no event changes it" : refusalOf(bad, events, this.registry);
      if (why !== undefined) return { kind: "impossible", key: together.map(({ key }) => key).join(", "), why };
    }
    return undefined;
  }

  /** Flies the branch in which the cause is switched off; undefined if the branch changes nothing. */
  private flySwitched(bad: FlightSession, badSpec: PlainObject, edit: SwitchedFlight): Judgement | undefined {
    if (edit.events.length === 0 && edit.without.length === 0) return undefined;
    this.options.onProgress?.(this.cost, "instant");
    const beforeUs = bad.flownUs;
    const { session, isGrafted } = this.branch(bad, badSpec, edit);
    session.advance(this.criterion.untilUs);
    this.counts.branches += 1;
    this.counts.grafted += isGrafted ? 1 : 0;
    this.counts.flownUs += session.flownUs + bad.flownUs - beforeUs;
    this.counts.wholeUs += session.nowUs;
    return this.criterion.judge(session);
  }

  private branch(
    bad: FlightSession,
    badSpec: PlainObject,
    edit: SwitchedFlight,
  ): { session: FlightSession; isGrafted: boolean } {
    try {
      return edit.needsStart ? this.fromStart(badSpec, edit) : bad.branch(edit);
    } catch (error) {
      if (error instanceof SimError) throw new Untried(edit.atUs, error.what);
      throw error;
    }
  }

  private fromStart(
    badSpec: PlainObject,
    { atUs, events, without }: SwitchedFlight,
  ): { session: FlightSession; isGrafted: boolean } {
    const kept = eventsIn(badSpec).filter((_, i) => !without.includes(i));
    const scenario = [
      ...kept,
      ...events.map((event) => ({ ...(isTriggered(event) ? {} : { atS: atUs / 1e6 }), ...event })),
    ];
    const resolution = resolveFlight({ file: "branch", spec: { ...badSpec, scenario } }, this.registry);
    return { session: this.session(mustResolve(resolution)), isGrafted: false };
  }
}

/** Thrown in the search for the point of no return if the branch at an instant has no valid description. */
class Untried extends Error {
  readonly atUs: number;
  readonly why: string;

  constructor(atUs: number, why: string) {
    super(why);
    this.atUs = atUs;
    this.why = why;
  }
}

function catchUntried<T>(search: () => T): T | Untried {
  try {
    return search();
  } catch (error) {
    if (error instanceof Untried) return error;
    throw error;
  }
}

/** Returns when each event that the description lists last happened; −1 if it has not happened. */
function firedUs(session: FlightSession): number[] {
  if (session.isOver) session.rewindTo(session.nowUs);
  const { definition } = session.resolved;
  const { own, first } = splitEvents(definition);
  return firedTimesUs(session.save(), definition.scenario.length).slice(first, first + own.length);
}

/** Returns why these events cannot happen in flight; undefined if they can. */
function refusalOf(bad: ResolvedFlight, events: readonly PlainObject[], registry: Registry): string | undefined {
  try {
    resolveBranch(bad, { atUs: 0, events }, registry);
    return undefined;
  } catch (error) {
    if (error instanceof SimError) return error.what;
    throw error;
  }
}

function isTriggered({ atS, when, step }: PlainObject): boolean {
  return atS !== undefined || when !== undefined || step !== undefined;
}

function reportOf(difference: FlightDifference): DifferenceReport {
  const { key, kind } = difference;
  if (kind === "event") {
    const { good, bad } = difference.slot;
    return {
      key,
      kind,
      ...(good === undefined ? {} : { good: good.spec }),
      ...(bad === undefined ? {} : { bad: bad.spec }),
    };
  }
  const { values } = difference;
  if (values.length === 1) return { key, kind, good: values[0]!.good, bad: values[0]!.bad };
  const table = (side: "good" | "bad") =>
    Object.fromEntries(values.map((value) => [value.path[value.path.length - 1], value[side]]));
  return { key, kind, good: table("good"), bad: table("bad") };
}
