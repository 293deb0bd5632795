/**
 * The coordinator takes flights from the plan, gives them to the fleet, writes their rows to the journal and judges the
 * criteria.
 *
 * Flights are selected for the results by their numbers, not by the order in which their rows arrive. So the results do
 * not depend on which worker flew which flight. The criteria are judged at fixed numbers of flights.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Registry, SimError } from "@escapement/core";
import type { CriterionSummary, Manifest, Row, TakenOverSummary } from "@escapement/formats";
import { Tally } from "../criteria/tally.ts";
import type { Fleet, FleetEvents } from "../fleet/contracts.ts";
import { CampaignFlyer, type FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";
import { cacheKey, type RowCache } from "../rows/cache.ts";
import { Journal, JOURNAL_FILE } from "../rows/journal.ts";
import { NumberSet } from "../rows/number-set.ts";
import type { Campaign } from "../spec/campaign.ts";
import { campaignErrors } from "../spec/errors.ts";
import { isSearch } from "../spec/make-plan.ts";
import { SummaryBuilder } from "../results/summary.ts";
import { FolderLock } from "../store/lock.ts";
import { Criteria } from "./criteria.ts";
import { type OtherBuild, TakenOver } from "./taken-over.ts";
import { type NumberRange, numbersOf, type Orders, ordersOf } from "./orders.ts";

interface RunCampaignOptions {
  readonly campaign: Campaign;
  readonly registry: Registry;
  /** Folder of the journal and the results. */
  readonly folder: string;
  readonly openFleet: (events: FleetEvents, flights: number) => Fleet | Promise<Fleet>;
  readonly range?: Partial<NumberRange>;
  /** Sets an existing journal aside. */
  readonly fresh?: boolean;
  /** Flies poisoned and failed flights again. */
  readonly retry?: boolean;
  readonly cache?: RowCache | undefined;
  /** Another build whose rows are reused. */
  readonly otherBuild?: OtherBuild | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CampaignProgress) => void;
  readonly onNote?: (text: string) => void;
}

/** The state of a campaign while it is flown. */
export interface CampaignProgress {
  readonly manifest: Manifest;
  /** Number of all flights, and of the flights with a row. */
  readonly total: number;
  readonly done: number;
  /** Number of rows that this run flew, and of rows from the cache. */
  readonly flown: number;
  readonly cached: number;
  readonly lanes: number;
  /** Statistics of the rows so far. */
  readonly rows: SummaryBuilder;
  /** Judges the criteria on flights 0 … n − 1, all of which have rows. Not final. */
  criteria(): readonly CriterionSummary[];
}

/** How a run of a campaign ended. */
export interface CampaignRun {
  readonly journal: string;
  /** The manifest in the journal; it contains the shard, if the run flew one. */
  readonly manifest: Manifest;
  /** Number of rows that the journal had before, that this run flew, and that came from the cache. */
  readonly found: number;
  readonly flown: number;
  readonly cached: number;
  /** Rows that were reused from another build; absent if there are none. */
  readonly takenOver?: TakenOverSummary;
  /**
   * Number of flights that the results use: flights 0 … counted − 1 if a sequential plan stopped early, otherwise all
   * flights that have a row.
   */
  readonly counted: number;
  /** Number of rows of later flights, which were being flown when a sequential plan stopped. */
  readonly beyond: number;
  /** Flights of the run that have no row, e.g. because it was interrupted. */
  readonly missing: number;
  readonly isInterrupted: boolean;
  readonly criteria: readonly CriterionSummary[];
}

export async function runCampaign(options: RunCampaignOptions): Promise<CampaignRun> {
  mkdirSync(options.folder, { recursive: true });
  const lock = FolderLock.take(options.folder);
  try {
    return await new Coordinator(options).run();
  } finally {
    lock.release();
  }
}

class Coordinator {
  private readonly options: RunCampaignOptions;
  private readonly flyer: CampaignFlyer;
  private readonly manifest: Manifest;
  private readonly known = new NumberSet();
  private readonly tally: Tally;
  private readonly criteria: Criteria;
  private readonly rows: SummaryBuilder;
  private readonly orders: Orders;
  private readonly range: NumberRange;
  private readonly journal: Journal;
  /** Cache keys of the flights that are being flown. */
  private readonly keys = new Map<number, string>();
  private readonly flightsPerEvaluation: number | undefined;
  private nextEvaluation: number;
  private stopAt: number | undefined;
  private flown = 0;
  private cached = 0;
  private readonly inFlight = new Set<number>();
  private readonly cache: RowCache | undefined;
  private readonly takenOver: TakenOver | undefined;

  constructor(options: RunCampaignOptions) {
    const { campaign, registry, range = {} } = options;
    const { shard } = range;
    this.options = options;
    // Rows of `splitting` are neither cached nor reused: unlike those of other plans, they contain the rises of the score.
    if (campaign.manifest.plan.kind !== "splitting") {
      this.cache = options.cache;
      if (options.otherBuild !== undefined) this.takenOver = new TakenOver(options.otherBuild);
    }
    this.flyer = new CampaignFlyer(campaign, { registry });
    const { plan } = this.flyer;
    if (shard !== undefined && isSearch(plan)) throw notDivisible(campaign.manifest);
    this.manifest = shard === undefined ? campaign.manifest : { ...campaign.manifest, shard };
    this.range = {
      from: range.from ?? 0,
      to: range.to ?? campaign.manifest.flights,
      ...(shard === undefined ? {} : { shard }),
    };
    this.criteria = new Criteria(this.manifest, plan);
    this.tally = new Tally(this.manifest.requirements, this.criteria.measures);
    this.rows = new SummaryBuilder(this.manifest);
    this.flightsPerEvaluation =
      campaign.plan["until"] === "decided" ? (campaign.plan["lookEvery"] as number) : undefined;
    this.nextEvaluation = this.flightsPerEvaluation ?? Infinity;
    this.orders = ordersOf(plan, this.range, (k) => this.known.has(k));
    this.journal = Journal.open(join(options.folder, JOURNAL_FILE), {
      manifest: this.manifest,
      fresh: options.fresh === true,
      onRow: (row) => {
        // With `retry`, ignore the row of a failed flight, so that it is flown again; the new row comes later in the
        // journal.
        const isRetried = options.retry === true && (row.outcome === "poisoned" || row.outcome === "failed");
        if (!isRetried) this.accept(row);
      },
    });
    this.judgeWhenDue();
  }

  async run(): Promise<CampaignRun> {
    const { options, journal } = this;
    if (journal.found.isTorn) options.onNote?.("the journal ended in a torn line, which was cut off");
    this.report();
    let isInterrupted = false;
    try {
      if (!this.isDone) isInterrupted = await this.flyAll();
    } finally {
      this.closeJournal();
    }
    const counted = this.stopAt ?? this.tally.complete;
    const missing = this.stopAt === undefined && !isSearch(this.flyer.plan) ? this.countMissing() : 0;
    return {
      journal: journal.path,
      manifest: this.manifest,
      found: journal.found.rows,
      flown: this.flown,
      cached: this.cached,
      ...this.takenOverSummary(),
      counted: this.stopAt ?? this.known.size,
      beyond: this.stopAt === undefined ? 0 : this.known.size - this.stopAt,
      missing,
      isInterrupted,
      criteria: this.criteria.judge(this.tally, counted, !isInterrupted && missing === 0),
    };
  }

  /**
   * Closes the journal. If a row of the other build differed, sets the journal aside, because it may contain reused rows
   * from this run or from an earlier one.
   */
  private closeJournal(): void {
    const { journal, takenOver } = this;
    if (takenOver?.isRefuted === true && (takenOver.rows > 0 || journal.found.rows > 0)) journal.closeAndSetAside();
    else journal.close();
  }

  private async flyAll(): Promise<boolean> {
    const { signal } = this.options;
    let fleet: Fleet | undefined;
    let onEnd: () => void = () => {};
    let failure: SimError | Error | undefined;
    const events: FleetEvents = {
      onRow: (row, checkpoints) => {
        try {
          this.acceptFlown(row, checkpoints);
          if (fleet !== undefined) this.handOut(fleet);
        } catch (error) {
          failure = error as Error;
        }
        if (failure !== undefined || this.isDone) onEnd();
      },
      onFailure: (error) => {
        failure = error;
        onEnd();
      },
      onNote: (text) => this.options.onNote?.(text),
    };
    const ended = new Promise<void>((done) => (onEnd = done));
    const onAbort = () => onEnd();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      fleet = await this.options.openFleet(events, this.total - this.known.size);
      this.handOut(fleet);
      if (!this.isDone && failure === undefined && signal?.aborted !== true) await ended;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      const isWhole = failure === undefined && signal?.aborted !== true;
      await fleet?.close(isWhole && this.inFlight.size === 0 ? "finish" : "now");
    }
    if (failure !== undefined) throw failure;
    return !this.isDone;
  }

  /** Hands out flights until the fleet has enough. Flights whose rows are in the cache are not flown. */
  private handOut(fleet: Fleet): void {
    const { cache } = this;
    while (this.stopAt === undefined && this.inFlight.size < fleet.depth) {
      const order = this.orders.next();
      if (order === undefined) break;
      const row = cache === undefined ? undefined : this.fromCache(cache, order);
      if (row !== undefined) {
        this.cached += 1;
        this.journal.append(row);
        this.accept(row);
        this.judgeWhenDue();
        continue;
      }
      if (this.holdBack(order)) continue;
      this.inFlight.add(order.k);
      fleet.give([order]);
    }
    if (this.inFlight.size === 0 && this.takenOver?.isHolding === true) {
      this.release(this.takenOver);
      this.handOut(fleet);
      return;
    }
    this.report(fleet.lanes);
  }

  /**
   * Holds a flight back if another build has its row. The row is reused once the sample of that build's rows has proved
   * equal. Returns true if the flight is held back.
   */
  private holdBack(order: FlightOrder): boolean {
    const { takenOver } = this;
    if (takenOver === undefined) return false;
    const key = this.keyOf(order, takenOver.code);
    return key !== undefined && takenOver.hold(order, key);
  }

  private release(takenOver: TakenOver): void {
    for (const row of takenOver.release((order) => this.keyOf(order, takenOver.code)!)) {
      this.journal.append(row);
      this.accept(row);
      this.judgeWhenDue();
    }
  }

  private takenOverSummary(): Pick<CampaignRun, "takenOver"> {
    const { takenOver } = this;
    if (takenOver === undefined || takenOver.rows === 0) return {};
    const { code, rows, repeated } = takenOver;
    return { takenOver: { code, rows, repeated } };
  }

  private fromCache(cache: RowCache, order: FlightOrder): Row | undefined {
    const key = this.keyOf(order);
    if (key === undefined) return undefined;
    const row = cache.find(key, order.k);
    if (row === undefined) this.keys.set(order.k, key);
    return row;
  }

  private keyOf(order: FlightOrder, code = this.manifest.code): string | undefined {
    try {
      return cacheKey(this.flyer.flight(order).spec, { code, judged: this.manifest.judged });
    } catch {
      // A flight that cannot be described gets the outcome `refused` when it is flown.
      return undefined;
    }
  }

  /** Accepts a row from the fleet. A second row of a flight is dropped, because it has the same bytes. */
  private acceptFlown(row: Row, checkpoints?: Checkpoints): void {
    if (!this.inFlight.delete(row.k)) return;
    this.takenOver?.check(row);
    this.journal.append(row);
    const key = this.keys.get(row.k);
    if (key !== undefined) {
      this.cache?.add(key, row);
      this.keys.delete(row.k);
    }
    this.flown += 1;
    this.accept(row, checkpoints);
    this.judgeWhenDue();
  }

  private accept(row: Row, checkpoints?: Checkpoints): void {
    if (this.known.has(row.k)) return;
    this.known.add(row.k);
    this.tally.add(row);
    this.rows.add(row);
    this.orders.accept(row, checkpoints);
  }

  /** Judges the criteria when the next fixed number of flights is complete. */
  private judgeWhenDue(): void {
    while (this.stopAt === undefined && this.tally.complete >= this.nextEvaluation) {
      const judged = this.criteria.judge(this.tally, this.nextEvaluation, this.nextEvaluation >= this.total);
      if (judged.every(({ verdict }) => verdict !== "open")) this.stopAt = this.nextEvaluation;
      else this.nextEvaluation += this.flightsPerEvaluation!;
    }
  }

  private get isDone(): boolean {
    return (
      this.stopAt !== undefined ||
      (this.inFlight.size === 0 && this.orders.isOver && this.takenOver?.isHolding !== true)
    );
  }

  private get total(): number {
    const { first, end, step } = numbersOf(this.range, this.manifest.flights);
    return Math.max(0, Math.ceil((end - first) / step));
  }

  private countMissing(): number {
    const { first, end, step } = numbersOf(this.range, this.manifest.flights);
    let missing = 0;
    for (let k = first; k < end; k += step) if (!this.known.has(k)) missing += 1;
    return missing;
  }

  private report(lanes = 0): void {
    this.options.onProgress?.({
      manifest: this.manifest,
      total: this.total,
      done: this.known.size,
      flown: this.flown,
      cached: this.cached,
      lanes,
      rows: this.rows,
      criteria: () => this.criteria.judge(this.tally, this.tally.complete, this.isDone),
    });
  }
}

function notDivisible({ plan }: Manifest): SimError {
  return campaignErrors.needsFeedback({
    what: `the plan ${plan.kind} chooses its flights from the results of earlier flights`,
    where: { key: "plan.kind" },
    fix: "fly it without --shard, with --jobs or --fleet",
  });
}
