/**
 * The results of a campaign, made from its journal: `summary.json`, `results.parquet` and `junit.xml`.
 *
 * They contain the rows in the order of their numbers, and nothing that differs between two runs. So they have the same
 * bytes on every machine and with any number of threads. Everything else (wall time, threads, retries) is in
 * `run.json`.
 */
import { join } from "node:path";
import { canonicalJson } from "@escapement/core";
import {
  type CampaignSummary,
  type Conclusions,
  isTextValue,
  type Manifest,
  type RareEventSummary,
  resultCells,
  resultColumns,
  ResultsWriter,
  type Row,
} from "@escapement/formats";
import { FileBytes } from "@escapement/formats/node";
import { comparePairs } from "../compare/compare.ts";
import { Tally } from "../criteria/tally.ts";
import { junitXml } from "../junit/junit.ts";
import { campaignSummary, SummaryBuilder } from "../results/summary.ts";
import { SensitivityCollector } from "../sensitivity/of-campaign.ts";
import { tellRows } from "../search/flown-points.ts";
import { contextOf, makePlan } from "../spec/make-plan.ts";
import { SplittingSearch } from "../splitting/splitting-search.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { requirementProbabilities, SHOWN_CONFIDENCE } from "./criteria.ts";

export const RESULT_FILES = {
  summary: "summary.json",
  table: "results.parquet",
  junit: "junit.xml",
  run: "run.json",
  page: "report.html",
} as const;

export interface ResultsSource {
  readonly manifest: Manifest;
  /** All rows in the order of their numbers. They are read several times. */
  readonly rows: Iterable<Row>;
  /** The results use only the flights with numbers below this; Infinity if they use all. */
  readonly countedEnd: number;
  readonly conclusions: Partial<Conclusions>;
}

/** Returns the default folder of a campaign: `gusts` for `gusts.campaign.toml`. */
export function folderName(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/(\.campaign)?\.(toml|json)$/i, "") || "campaign";
}

/** Returns the rows that the results use, in the order of their numbers. */
export function* countedRows({ rows, countedEnd }: Pick<ResultsSource, "rows" | "countedEnd">): Generator<Row> {
  for (const row of rows) if (row.k < countedEnd) yield row;
}

/** Returns the summary of the rows that the results use, and the layout of their table. */
export function summarise(source: ResultsSource): { summary: CampaignSummary; isText: readonly boolean[] } {
  const { manifest } = source;
  const builder = new SummaryBuilder(manifest);
  const plan = makePlan(manifest.plan, contextOf({ vary: manifest.keys, manifest }), manifest.requirements);
  const sensitivity = new SensitivityCollector(manifest, plan);
  const isText = manifest.keys.map(() => false);
  const tally = new Tally(manifest.requirements, []);
  for (const row of countedRows(source)) {
    builder.add(row);
    tally.add(row);
    sensitivity.add(row);
    row.varied.forEach((value, i) => (isText[i] ||= isTextValue(value)));
  }
  const conclusions: Partial<Conclusions> = {
    probabilities: requirementProbabilities(manifest, plan, tally),
    sensitivity: sensitivity.finish(),
    ...(manifest.plan.kind === "pairs" ? { pairs: comparePairs(manifest, countedRows(source)) } : {}),
    ...(plan instanceof SplittingSearch ? { rareEvent: rareEventOf(plan, countedRows(source)) } : {}),
    ...source.conclusions,
  };
  const summary = campaignSummary(manifest, builder.finish(), {
    ...conclusions,
    ...(manifest.shard === undefined ? {} : openInShard(manifest, conclusions)),
  });
  return { summary, isText };
}

/** Leaves the probabilities and criteria of a shard open, because they are computed from all flights in order. */
function openInShard(
  { requirements, shard }: Manifest,
  { criteria = [] }: Partial<Conclusions>,
): Pick<Conclusions, "probabilities" | "criteria"> {
  const reason = `open in shard ${shard!.index + 1} of ${shard!.count}: \`escapement campaign merge\` judges all shards`;
  return {
    probabilities: requirements.map(() => null),
    criteria: criteria.map((criterion) => ({
      ...criterion,
      verdict: "open",
      reason,
      estimate: null,
      low: null,
      high: null,
    })),
  };
}

function rareEventOf(plan: SplittingSearch, rows: Iterable<Row>): RareEventSummary {
  tellRows(plan, rows);
  const { probability, lo, hi } = plan.estimate(SHOWN_CONFIDENCE);
  const { requirement, isComplete, undecided } = plan;
  return {
    requirement,
    probability,
    low: lo,
    high: hi,
    confidence: SHOWN_CONFIDENCE,
    isComplete,
    undecided,
    runs: plan.levels().map((levels) => ({ probability: levels.at(-1)!.probability, levels: levels.slice(0, -1) })),
  };
}

/** Writes the results and returns the summary. Files of an earlier run are replaced when the new ones are complete. */
export async function writeResults(folder: string, source: ResultsSource): Promise<CampaignSummary> {
  const { manifest } = source;
  const { shard: _shard, ...whole } = manifest;
  const { summary, isText } = summarise(source);
  await writeTable(join(folder, RESULT_FILES.table), source, { manifest: whole, isText });
  writeText(join(folder, RESULT_FILES.summary), `${JSON.stringify(JSON.parse(canonicalJson(summary)), null, 2)}\n`);
  writeText(
    join(folder, RESULT_FILES.junit),
    junitXml(summary, { attachment: `${folderName(manifest.file)}/${RESULT_FILES.page}` }),
  );
  return summary;
}

export function writeText(path: string, text: string): void {
  const file = new FileBytes(path, { overwrite: true, whenComplete: true });
  file.write(new TextEncoder().encode(text));
  file.close();
}

/** Writing this many rows leaves about 15 MB of garbage. */
const COLLECT_EVERY_ROWS = 32_768;

async function writeTable(
  path: string,
  source: ResultsSource,
  layout: Parameters<typeof resultColumns>[0],
): Promise<void> {
  const bytes = new FileBytes(path, { overwrite: true, whenComplete: true });
  const metadata = { campaign: canonicalJson(layout.manifest), code: layout.manifest.code };
  const writer = new ResultsWriter(bytes, resultColumns(layout), metadata);
  let rows = 0;
  for (const row of countedRows(source)) {
    writer.row(resultCells(layout, row));
    if (writer.isFull) await writer.drain();
    rows += 1;
    if (rows % COLLECT_EVERY_ROWS === 0) collectGarbage();
  }
  await writer.close();
}
