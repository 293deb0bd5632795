/**
 * Keeps some flights of a campaign after all have been flown: recordings and pages of the worst ones, and a shrunk
 * version of the worst flight of each violated requirement. The files are in the subfolder `flights`.
 *
 * Nothing is recorded during a campaign, so each kept flight is flown again, with the same bits. Flights with stock PX4
 * are not repeatable; those that violate a requirement were already recorded when they were flown.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Campaign,
  countedRows,
  shrinkSourceOf,
  repeatErrors,
  type ResultsSource,
  shrinkFlight,
  SummaryBuilder,
  writeText,
} from "@escapement/campaign";
import {
  type FlightResult,
  mustResolve,
  type ResolvedFlight,
  resolveFlight,
  Run,
  type RunOptions,
  SimError,
} from "@escapement/core";
import type { Conclusions, KeptFlight, RowsSummary, ShrunkFlight, WorstFlight } from "@escapement/formats";
import { flightSketch } from "@escapement/viewer";
import { readReports } from "../commands/report.ts";
import { loadRecording } from "../load/read-files.ts";
import { FlightOutputs } from "../outputs/flight-outputs.ts";
import { writePage } from "../outputs/pages.ts";
import { FLIGHTS_FOLDER, type OutputPaths, pageOf, recordingOf, recordingOnly } from "./kept-files.ts";
import type { LoadedCampaign } from "./load-campaign.ts";
import { descriptionOf } from "./numbered-flight.ts";
import { flyAndRecord } from "./px4-flights.ts";
import { readSummary } from "./stored-summary.ts";

type KeptParts = Pick<Conclusions, "kept" | "shrunk">;

interface KeepOptions {
  readonly folder: string;
  readonly source: Pick<ResultsSource, "rows" | "manifest" | "countedEnd">;
  readonly onStep: (text: string) => void;
  readonly onNote: (text: string) => void;
}

export async function keepFlights(loaded: LoadedCampaign, options: KeepOptions): Promise<KeptParts> {
  const { recordings, shrunk } = loaded.campaign.keep;
  if (recordings === 0 && !shrunk) return { kept: [], shrunk: [] };
  mkdirSync(join(options.folder, FLIGHTS_FOLDER), { recursive: true });
  const builder = new SummaryBuilder(options.source.manifest);
  for (const row of countedRows(options.source)) builder.add(row);
  return new Keeper(loaded, options, builder.finish()).keep();
}

class Keeper {
  private readonly loaded: LoadedCampaign;
  private readonly options: KeepOptions;
  private readonly rows: RowsSummary;
  /** Flights that an earlier run of the same campaign kept. */
  private readonly keptBefore: KeptParts;

  constructor(loaded: LoadedCampaign, options: KeepOptions, rows: RowsSummary) {
    this.loaded = loaded;
    this.options = options;
    this.rows = rows;
    this.keptBefore = readKept(options.folder, loaded.campaign);
  }

  async keep(): Promise<KeptParts> {
    const { keep, flownBy } = this.loaded.campaign;
    const kept: KeptFlight[] = [];
    const isKept = ({ k }: WorstFlight) => flownBy !== "sitl" || existsSync(join(this.options.folder, recordingOf(k)));
    for (const flight of this.rows.worst.filter(isKept).slice(0, keep.recordings)) {
      const recorded = await this.attempt(flight.k, () => this.record(flight));
      if (recorded !== undefined) kept.push(recorded);
    }
    const shrunk: ShrunkFlight[] = [];
    for (const [i, { flights, least }] of this.rows.requirements.entries()) {
      if (!keep.shrunk || flights.violated === 0 || least === null) continue;
      const small = await this.attempt(least.k, () => this.shrink(i, least.k));
      if (small !== undefined) shrunk.push(small);
    }
    return { kept, shrunk };
  }

  /** Adds a note if a flight cannot be kept. This is not an error, because the results are complete without it. */
  private async attempt<T>(k: number, act: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      this.options.onNote(`flight ${k} is not kept: ${error.code} ${error.what}`);
      return undefined;
    }
  }

  private async record(flight: WorstFlight): Promise<KeptFlight> {
    const { k } = flight;
    const { folder, onStep } = this.options;
    const names = { recording: recordingOf(k), page: pageOf(k) };
    const old = this.keptBefore.kept.find((flight) => flight.k === k);
    if (old !== undefined && existsSync(join(folder, old.recording)) && existsSync(join(folder, old.page))) return old;
    onStep(`recording flight ${k}`);
    const path = join(folder, names.recording);
    const { campaign, registry } = this.loaded;
    if (campaign.flownBy !== "sitl") await this.fly(flight, path);
    const texts = campaign.judging.requirements.map(({ text }) => text);
    writePage(join(folder, names.page), await readReports([path], {}, { texts, registry }), true);
    const { recording } = await loadRecording(path, {});
    return { k, ...names, sketch: flightSketch(recording) };
  }

  private async fly({ k, fingerprint, outcome }: WorstFlight, path: string): Promise<void> {
    const { registry, campaign } = this.loaded;
    const { name, spec } = this.flight(k);
    const resolution = resolveFlight({ file: name, spec }, registry);
    const resolved = mustResolve(resolution);
    const paths = recordingOnly(resolved, path);
    const result =
      campaign.flownBy === "children"
        ? await flyAndRecord(resolved, paths)
        : await flyAndStream(resolved, paths, { registry, plant: resolution.plant });
    // If the campaign ended the flight early, its row has the fingerprint up to that instant, but the recording
    // contains the whole flight.
    if (outcome !== "cut" && result.fingerprint !== fingerprint) {
      throw repeatErrors.differs({
        what: `${name} has the fingerprint ${result.fingerprint}, but its row has ${fingerprint}`,
        fix: "make sure that no part of the flight keeps state between flights",
      });
    }
  }

  private shrink(index: number, k: number): ShrunkFlight {
    const { folder, onStep } = this.options;
    const { campaign, registry, root } = this.loaded;
    const requirement = campaign.judging.requirements[index]!;
    const old = this.keptBefore.shrunk.find((flight) => flight.k === k && flight.requirement === requirement.name);
    if (old !== undefined && existsSync(join(folder, old.file))) return old;
    const { name, spec: flight } = this.flight(k);
    const source = shrinkSourceOf(campaign, { name, flight, root }, registry);
    const onFlight = (flights: number) => onStep(`shrinking flight ${k}: ${flights} flights`);
    const { text, phrases, flights } = shrinkFlight(source, requirement, { registry, onFlight });
    // Number the files, because one flight may be the worst one for several requirements.
    const file = `${FLIGHTS_FOLDER}/${k}-small${index === 0 ? "" : `-${index + 1}`}.toml`;
    writeText(join(folder, file), text);
    return { k, requirement: requirement.name, text: phrases.join("; "), flights, file };
  }

  private flight(k: number): { readonly name: string; readonly spec: ReturnType<typeof descriptionOf> } {
    const { file } = this.options.source.manifest;
    return { name: `${file}#${k}`, spec: descriptionOf(this.loaded, { file, k, folder: this.options.folder }) };
  }
}

/** Flies in this process and writes the recording while flying. */
async function flyAndStream(
  resolved: ResolvedFlight,
  paths: OutputPaths,
  options: Pick<RunOptions, "registry" | "plant">,
): Promise<FlightResult> {
  const outputs = await FlightOutputs.open(resolved, paths);
  const run = await outputs.guard(() => new Run(resolved, { ...options, ...outputs.parts() }));
  outputs.prepare(run.assembled);
  const { result, failure } = await run.toEnd();
  await outputs.finish(result);
  if (failure !== undefined) throw failure;
  return result;
}

function readKept(folder: string, { manifest }: Campaign): KeptParts {
  const none: KeptParts = { kept: [], shrunk: [] };
  const summary = readSummary(folder);
  if (summary === undefined) return none;
  const { identity, code, judged } = summary.campaign;
  const isSame = identity === manifest.identity && code === manifest.code && judged === manifest.judged;
  return isSame ? { kept: summary.kept ?? [], shrunk: summary.shrunk ?? [] } : none;
}
