/** A run of a campaign with rows of another build: what is reused, and what happens if a row differs. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coreRegistry, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";
import type { Row } from "@escapement/formats";
import { afterAll, describe, expect, it } from "vitest";
import { decidedVerdict, exampleRow } from "../../../../tests/support/campaign-rows.ts";
import type { Fleet, FleetEvents } from "../fleet/contracts.ts";
import type { FlightOrder } from "../fly/one.ts";
import { RowCache } from "../rows/cache.ts";
import { resolveCampaign } from "../spec/resolve-campaign.ts";
import { type CampaignRun, runCampaign } from "./coordinator.ts";
import type { OtherBuild } from "./taken-over.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-coordinator-"));
const caches: RowCache[] = [];
afterAll(() => {
  for (const cache of caches) cache.close();
  rmSync(folder, { recursive: true });
});

const FLIGHT = { extends: "hover", wind: "dryden", requirements: ["never tilt > 30 deg"] };
const FLIGHTS = 24;
/** Generations of 16 and then 4 flights; of every 20 rows found, the first and the 20th are flown again. */
const FALSIFY = { kind: "falsify", most: FLIGHTS };
const RANDOM = { kind: "random", flights: FLIGHTS };
const SPLITTING = { kind: "splitting", particles: 8, most: 64 };
const SAMPLE = 0.05;

/** "Flies" flights without a simulation: the row follows from the number and the varied value. */
class InstantFleet implements Fleet {
  readonly lanes = 1;
  readonly depth = 8;
  private readonly events: FleetEvents;
  private readonly rowOf: (k: number) => Row;

  constructor(events: FleetEvents, rowOf: (k: number) => Row) {
    this.events = events;
    this.rowOf = rowOf;
  }

  give(orders: readonly FlightOrder[]): void {
    for (const { k } of orders) setImmediate(() => this.events.onRow(this.rowOf(k)));
  }

  async close(): Promise<void> {}
}

const rowOf = (k: number): Row => ({
  ...exampleRow(k),
  outcome: "completed",
  varied: [1.5],
  verdicts: [decidedVerdict(10 + (k % 7), 1_000_000, "tilt")],
  measures: [],
});
/** The row of a build that flies flights from 16 on differently. */
const otherRowOf = (k: number): Row => (k < 16 ? rowOf(k) : { ...rowOf(k), fingerprint: "fp1:other" });

function campaignOf(plan: PlainObject, code: string) {
  const resolved = mustResolve(resolveFlight({ file: "test", spec: FLIGHT }, coreRegistry));
  const given = { flight: FLIGHT, plan, vary: { "vehicle.massKg": { uniform: [1.4, 1.6] } } };
  const base = { spec: FLIGHT, filled: undefined };
  const { campaign, errors } = resolveCampaign(given, { file: "test", base, resolved, code, flownBy: "threads" });
  if (campaign === undefined) throw errors[0];
  return campaign;
}

const OLD = "01".repeat(32);
const NEW = "02".repeat(32);

interface RunOptions {
  readonly name: string;
  readonly plan: PlainObject;
  readonly code: string;
  readonly rowOf: (k: number) => Row;
  readonly isReusing?: boolean;
  /** Folder of the cache; by default one per kind of plan. */
  readonly cacheName?: string;
}

function run({
  name,
  plan,
  code,
  rowOf: fly,
  isReusing = false,
  cacheName = String(plan["kind"]),
}: RunOptions): Promise<CampaignRun> {
  const campaign = campaignOf(plan, code);
  const cacheOf = (build: string) => {
    const cache = RowCache.open(join(folder, "cache", cacheName), { ...campaign.manifest, code: build });
    caches.push(cache);
    return cache;
  };
  const otherBuild: OtherBuild | undefined = isReusing ? { code: OLD, cache: cacheOf(OLD), sample: SAMPLE } : undefined;
  return runCampaign({
    campaign,
    registry: coreRegistry,
    folder: join(folder, name),
    cache: cacheOf(code),
    otherBuild,
    openFleet: (events) => new InstantFleet(events, fly),
  });
}

const hasFile = (name: string, file: string) => existsSync(join(folder, name, file));

describe("a search that reuses rows of another build", () => {
  it("reuses all rows but the sample if the sample is equal in every generation", async () => {
    await run({ name: "old", plan: FALSIFY, code: OLD, rowOf });
    const { flown, takenOver } = await run({ name: "equal", plan: FALSIFY, code: NEW, rowOf, isReusing: true });
    expect([flown, takenOver]).toEqual([2, { code: OLD, rows: 22, repeated: 2 }]);
  });

  it("sets its journal aside if a row of a later generation differs, so that no reused row is left", async () => {
    const options = { name: "differs", plan: FALSIFY, code: NEW, rowOf: otherRowOf };
    rmSync(join(folder, "cache", "falsify"), { recursive: true });
    await run({ name: "old-again", plan: FALSIFY, code: OLD, rowOf });
    await expect(run({ ...options, isReusing: true })).rejects.toThrow(/CAMPAIGN-017.*flight 19/s);
    expect([hasFile("differs", "journal.ndjson"), hasFile("differs", "journal.1.ndjson")]).toEqual([false, true]);
    const again = await run(options);
    // The one flight of the first generation's sample is in the cache of the new build.
    expect([again.found, again.cached, again.flown]).toEqual([0, 1, FLIGHTS - 1]);
  });
});

describe("a plan that reuses rows of another build", () => {
  it("reuses no row if one of the sample differs, and keeps a journal that had no rows before", async () => {
    await run({ name: "old-random", plan: RANDOM, code: OLD, rowOf });
    const options = { name: "random", plan: RANDOM, code: NEW, rowOf: otherRowOf };
    await expect(run({ ...options, isReusing: true })).rejects.toThrow(/CAMPAIGN-017.*flight 19/s);
    expect(hasFile("random", "journal.1.ndjson")).toBe(false);
    const again = await run(options);
    expect([again.found, again.flown]).toEqual([1, FLIGHTS - 1]);
  });

  it("reuses none in a plan splitting, whose rows also contain the rises of the score", async () => {
    // The first flights of both plans have the same descriptions.
    await run({ name: "old-first", plan: RANDOM, code: OLD, rowOf });
    const options = { name: "splitting", plan: SPLITTING, code: NEW, rowOf, cacheName: "random" };
    const { flown, takenOver, cached } = await run({ ...options, isReusing: true });
    expect([flown >= FLIGHTS, takenOver, cached]).toEqual([true, undefined, 0]);
  });
});
