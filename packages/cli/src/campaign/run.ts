/**
 * Implements `escapement campaign`: resolves the campaign, flies the missing flights, writes and prints the results.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import {
  campaignErrors,
  type CampaignRun,
  campaignVerdict,
  folderName,
  JOURNAL_FILE,
  JournalRows,
  ObjectStore,
  type OtherBuild,
  QueueFleet,
  readManifest,
  RESULT_FILES,
  RowCache,
  runCampaign,
  writeText,
} from "@escapement/campaign";
import type { CampaignSummary, Manifest } from "@escapement/formats";
import type { CampaignFlags } from "../commands/campaign.ts";
import { cliErrors } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { Interrupt } from "../interrupt.ts";
import {
  campaignHead,
  campaignLines,
  CampaignScreen,
  keptLines,
  sensitivityLines,
  withoutPartVerdicts,
} from "../print/campaign.ts";
import { printError } from "../print/error.ts";
import { StatusLine } from "../print/progress.ts";
import { columnsOf, type Style, styleFor, wrap } from "../print/style.ts";
import { diffLines } from "./diff.ts";
import { limitFlag, lockFlag, numbersFlag, sampleFlag, shardFlag, threadsFlag } from "./flags.ts";
import { commandOf } from "./kept-files.ts";
import { loadCampaign, type LoadedCampaign } from "./load-campaign.ts";
import { keepFlights } from "./keep.ts";
import { writeAll } from "./results.ts";
import { openLocalFleet } from "./open-fleet.ts";
import { storeCampaign } from "./stored-campaign.ts";
import { readSummary } from "./stored-summary.ts";

/** Folder of the row cache, which all campaigns in a working folder share. */
export const CACHE_FOLDER = join(".escapement", "cache");

export async function runCampaignCommand(file: string, flags: CampaignFlags): Promise<number> {
  const loaded = await loadCampaign(file, flags.with);
  if (flags.json !== true) for (const warning of loaded.warnings) printError(warning, "warning");
  return flyAndPrint(loaded, { file, folder: flags.output ?? folderName(file) }, flags);
}

/** Flies the flights that are missing in the folder, writes the results and prints them. Returns the exit code. */
export async function flyAndPrint(
  loaded: LoadedCampaign,
  { file, folder }: { readonly file: string; readonly folder: string },
  flags: CampaignFlags,
): Promise<number> {
  // Open the store first, so that its errors are reported before anything is flown.
  const store = flags.store === undefined ? undefined : await ObjectStore.open(flags.store);
  const interrupt = new Interrupt();
  interrupt.listen();
  const startedMs = performance.now();
  const { run, notes } = await flyMissing(loaded, folder, file, flags, interrupt).finally(() =>
    interrupt.stopListening(),
  );
  const wallS = (performance.now() - startedMs) / 1e3;
  const campaign = storeCampaign(folder, loaded);
  writeText(join(folder, RESULT_FILES.run), `${JSON.stringify(runDetails(run, wallS, notes), null, 2)}\n`);
  const stored = await store?.putPart(run.journal, run.manifest, campaign);
  if (stored !== undefined) notes.push(`the rows are in ${flags.store}: ${stored}`);
  const { summary, isWhole } = await finishRun(loaded, folder, run, notes, flags);
  print(summary, run, { folder, file, wallS, notes }, flags);
  if (run.isInterrupted) return interrupt.isRequested ? interrupt.exitCode : EXIT.failed;
  if (run.missing > 0) return EXIT.flightsFailed;
  // Parts are not judged; `merge` judges the whole campaign.
  if (!isWhole) return flags.exit !== "flown" && summary.failedFlights > 0 ? EXIT.flightsFailed : EXIT.done;
  return exitCodeOf(summary, flags.exit);
}

async function flyMissing(
  loaded: LoadedCampaign,
  folder: string,
  file: string,
  flags: CampaignFlags,
  interrupt: Interrupt,
): Promise<{ run: CampaignRun; notes: string[] }> {
  const { campaign, registry } = loaded;
  const shard = shardFlag(flags.shard);
  const numbers = numbersFlag(flags.flights);
  const jobs = threadsFlag(flags.jobs);
  const lockMs = lockFlag(flags.lock);
  const limits = limitFlag(flags.limit);
  if (flags.fleet !== undefined && flags.limit !== undefined) {
    throw cliErrors.badCampaignFlag({
      what: "--limit has no effect on the workers of a fleet",
      fix: "give it to every worker: escapement join --limit",
    });
  }
  const { isRepeatable } = campaign.manifest;
  if (flags.cacheFrom !== undefined && !isRepeatable) {
    throw cliErrors.badCampaignFlag({
      what: "flights with stock PX4 are not repeatable, so their rows are not reused",
      fix: "leave --cache-from out",
    });
  }
  const isCached = flags.cache && isRepeatable;
  const cache = isCached ? RowCache.open(CACHE_FOLDER, campaign.manifest) : undefined;
  const otherBuild = isCached ? otherBuildOf(flags, campaign.manifest) : undefined;
  const screen = new CampaignScreen(process.stderr, (k) => commandOf({ file, folder, isRepeatable }, k));
  const notes: string[] = shard === undefined ? [] : [partNote(shard)];
  try {
    const run = await runCampaign({
      campaign,
      registry,
      folder,
      cache,
      otherBuild,
      range: { ...numbers, ...(shard === undefined ? {} : { shard }) },
      fresh: flags.fresh === true,
      retry: flags.retry === true,
      signal: interrupt.signal,
      openFleet: (events, flights) =>
        flags.fleet === undefined
          ? openLocalFleet(loaded, events, flights, { jobs, limits, folder })
          : QueueFleet.open(flags.fleet, { campaign, lockMs }, events),
      onProgress: (progress) => screen.show(progress),
      onNote: (text) => {
        notes.push(text);
        // Print notes immediately, because a note may say why queued flights are waiting for other machines.
        if (flags.fleet !== undefined && flags.json !== true) screen.printAbove(text);
      },
    });
    return { run, notes };
  } finally {
    screen.clear();
    cache?.close();
    otherBuild?.cache.close();
  }
}

function partNote({ index, count }: { readonly index: number; readonly count: number }): string {
  return `part ${index + 1} of ${count}: the counts are for this part only; \`escapement campaign merge\` evaluates probabilities and criteria of all parts`;
}

/** Returns the build of the run that `--cache-from` names, with its rows from the cache. */
function otherBuildOf(flags: CampaignFlags, { judged }: Manifest): OtherBuild | undefined {
  const sample = sampleFlag(flags.sample);
  if (flags.cacheFrom === undefined) return undefined;
  const journal = join(flags.cacheFrom, JOURNAL_FILE);
  if (!existsSync(journal)) {
    throw campaignErrors.notStored({
      what: "there is no journal of an earlier run",
      where: { file: journal },
      fix: "give --cache-from the folder of a run of the other build",
    });
  }
  const { code } = readManifest(journal);
  return { code, sample, cache: RowCache.open(CACHE_FOLDER, { code, judged }) };
}

/** Returns what an earlier run in the same folder reused from another build, for the summary. */
function reusedBefore(folder: string, { identity, code, judged }: Manifest): Pick<CampaignSummary, "takenOver"> {
  const { campaign, takenOver } = readSummary(folder) ?? {};
  const isSame = campaign?.identity === identity && campaign.code === code && campaign.judged === judged;
  return isSame && takenOver !== undefined ? { takenOver } : {};
}

/** Writes the results, and keeps flights if the campaign is complete. `isWhole` is false for a part of a campaign. */
async function finishRun(
  loaded: LoadedCampaign,
  folder: string,
  run: CampaignRun,
  notes: string[],
  flags: CampaignFlags,
): Promise<{ summary: CampaignSummary; isWhole: boolean }> {
  const { journal, manifest, counted, beyond, criteria, isInterrupted } = run;
  const countedEnd = beyond > 0 ? counted : Infinity;
  const isWhole = manifest.shard === undefined;
  const rows = { rows: new JournalRows(journal), manifest, countedEnd };
  const status = new StatusLine(process.stderr, process.env, false);
  const kept =
    isWhole && !isInterrupted
      ? await keepFlights(loaded, {
          folder,
          source: rows,
          onStep: (text) => status.show(() => `  ${text}`),
          onNote: (text) => notes.push(text),
        }).finally(() => status.clear())
      : {};
  const takenOver =
    run.takenOver !== undefined ? { takenOver: run.takenOver } : run.found > 0 ? reusedBefore(folder, manifest) : {};
  const source = { ...rows, conclusions: { beyond, criteria, ...kept, ...takenOver } };
  const summary = await writeAll(folder, source, flags);
  return { summary, isWhole };
}

/** Returns the facts that may differ between two runs of the same campaign. */
function runDetails(run: CampaignRun, wallS: number, notes: readonly string[]): Record<string, unknown> {
  const { found, flown, cached, missing, isInterrupted } = run;
  const { version } = process;
  return { wallS, host: hostname(), node: version, found, flown, cached, missing, isInterrupted, notes };
}

interface PrintFacts {
  readonly folder: string;
  readonly file: string;
  readonly wallS: number;
  readonly notes: readonly string[];
}

function print(summary: CampaignSummary, run: CampaignRun, facts: PrintFacts, flags: CampaignFlags): void {
  const { folder, file, wallS, notes } = facts;
  if (flags.json === true) {
    const timing = { wallS, flightsPerS: run.flown / wallS };
    const { found, flown, cached, missing, isInterrupted } = run;
    const counts = { found, flown, cached, missing, isInterrupted };
    process.stdout.write(`${JSON.stringify({ ...summary, folder, run: counts, notes, timing }, null, 2)}\n`);
    return;
  }
  const style = styleFor(process.stdout, process.env);
  const columns = columnsOf(process.stdout);
  const { isRepeatable } = run.manifest;
  const lines = [
    campaignHead(run, style),
    ...takenOverLines(summary, style),
    countsLine(run, wallS),
    ...campaignLines(withoutPartVerdicts(summary, run.manifest), (k) => commandOf({ file, folder, isRepeatable }, k), {
      style,
      columns,
    }),
    ...sensitivityLines(summary, run.manifest.plan.kind, { style, columns }),
    ...(summary.pairs === undefined ? [] : diffLines(summary.pairs, "flight", "against", { style, columns })),
    ...keptLines(summary, folder, columns),
    ...notes.map((note) => `  ${style.trouble("note")} ${wrap(note, columns, "    ", 7)}`),
    `  ${style.quiet(`results in ${folder}/`)}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (run.isInterrupted) process.stdout.write(`  interrupted; run the same command again to continue\n`);
}

function takenOverLines({ takenOver }: CampaignSummary, style: Style): string[] {
  if (takenOver === undefined) return [];
  const { code, rows, repeated } = takenOver;
  return [
    style.trouble(
      `  ${rows} rows are reused from build ${code.slice(0, 12)}; ${repeated} others were flown again and are equal`,
    ),
  ];
}

function countsLine({ found, flown, cached, missing, beyond }: CampaignRun, wallS: number): string {
  const parts = [
    `${flown} flown in ${wallS.toFixed(1)} s`,
    ...(flown === 0 ? [] : [`${(flown / wallS).toFixed(1)} flights/s`]),
    ...(found === 0 ? [] : [`${found} in the journal`]),
    ...(cached === 0 ? [] : [`${cached} from the cache`]),
    ...(beyond === 0 ? [] : [`${beyond} not counted, flown after the verdict`]),
    ...(missing === 0 ? [] : [`${missing} missing`]),
  ];
  return `  ${parts.join("   ")}`;
}

export function exitCodeOf(summary: CampaignSummary, exit: string | undefined): number {
  if (exit === "flown") return EXIT.done;
  switch (campaignVerdict(summary)) {
    case "met":
      return EXIT.done;
    case "not met":
      return EXIT.requirement;
    case "open":
      return EXIT.open;
    case "incomplete":
      return EXIT.flightsFailed;
  }
}
