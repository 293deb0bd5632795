/**
 * Implements `escapement check` for a campaign file: reports all errors, or prints the first flights and the estimated
 * time for all flights.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { CampaignFlyer, isSearch } from "@escapement/campaign";
import { isPlainObject } from "@escapement/core";
import { readFlightText, tomlText, variedText } from "@escapement/formats";
import { campaignHead } from "../print/campaign.ts";
import { printError } from "../print/error.ts";
import { columnsOf, styleFor, wrap } from "../print/style.ts";
import { loadCampaign, type LoadedCampaign, FLIGHTS_TRIED_BY_CHECK } from "./load-campaign.ts";

const SHOWN_FLIGHTS = 3;

/** Returns true if a file describes a campaign: it is named `*.campaign.toml` or `.json`, or it has a plan. */
export function isCampaignFile(path: string): boolean {
  if (!/\.(toml|json)$/i.test(path)) return false;
  if (/\.campaign\.(toml|json)$/i.test(path)) return true;
  try {
    return isPlainObject(readFlightText(readFileSync(path), path).object["plan"]);
  } catch {
    // The command that reads the file reports the error.
    return false;
  }
}

export async function checkCampaign(
  file: string,
  flags: { readonly with: readonly string[]; readonly full?: true; readonly json?: true },
): Promise<void> {
  const loaded = await loadCampaign(file, flags.with, undefined, FLIGHTS_TRIED_BY_CHECK);
  const { manifest } = loaded.campaign;
  const flights = firstFlights(loaded);
  const seconds = await secondsPerFlight(loaded);
  if (flags.json === true) {
    const warnings = loaded.warnings.map(({ code, what, where, fix }) => ({ code, what, where, fix }));
    const { campaign } = loaded;
    process.stdout.write(
      `${JSON.stringify({ campaign, first: flights, secondsPerFlight: seconds, warnings }, null, 2)}\n`,
    );
    return;
  }
  for (const warning of loaded.warnings) printError(warning, "warning");
  for (const flight of flights) {
    const { k, spec } = flight;
    const head = `flight ${k}: ${differenceText(manifest.keys, flight)}`;
    const text =
      flags.full === true ? `# ${head}\n${tomlText(spec)}\n` : wrap(head, columnsOf(process.stdout), "    ", 0);
    process.stdout.write(`${text}\n`);
  }
  const style = styleFor(process.stderr, process.env);
  process.stderr.write(`${style.accent("ok")}  ${campaignHead({ manifest }, style)}\n`);
  if (seconds === undefined) return;
  const cores = availableParallelism();
  const total = (seconds * manifest.flights) / cores;
  const limit = isSearch(new CampaignFlyer(loaded.campaign, loaded).plan) ? "at most " : "";
  process.stderr.write(
    `    flight 0 takes ${seconds.toFixed(2)} s here; all of them ${limit}about ${durationText(total)} on ${cores} ${cores === 1 ? "core" : "cores"}\n`,
  );
}

/** Describes how a flight differs from the others: by its values or, if no key is varied, by its seed. */
function differenceText(keys: LoadedCampaign["campaign"]["manifest"]["keys"], { varied, spec }: FirstFlight): string {
  if (varied.length > 0) return variedText(keys, varied);
  return spec["seed"] === undefined ? "no key is varied" : `seed ${String(spec["seed"])}`;
}

type FirstFlight = ReturnType<CampaignFlyer["flight"]> & { readonly k: number };

/** Returns the first flights of a campaign or, for a search, of its first generation. */
function firstFlights({ campaign, registry }: LoadedCampaign): FirstFlight[] {
  const flyer = new CampaignFlyer(campaign, { registry });
  const { plan } = flyer;
  if (!isSearch(plan)) {
    const count = Math.min(SHOWN_FLIGHTS, plan.count);
    return Array.from({ length: count }, (_, k) => ({ k, ...flyer.flight({ k }) }));
  }
  const point = new Float64Array(plan.dimension);
  return (plan.ask() ?? []).slice(0, SHOWN_FLIGHTS).map((k) => {
    plan.pointInto(k, point);
    return { k, ...flyer.flight({ k, point: [...point] }) };
  });
}

/**
 * Flies flight 0 twice and times the second run, because the first one includes compilation. Returns undefined if the
 * flights run in other processes.
 */
async function secondsPerFlight({ campaign, registry }: LoadedCampaign): Promise<number | undefined> {
  if (campaign.flownBy !== "threads") return undefined;
  const flyer = new CampaignFlyer(campaign, { registry });
  const { plan } = flyer;
  const order = { k: 0, ...(isSearch(plan) ? { point: campaign.vary.map(() => 0.5) } : {}) };
  await flyer.fly(order);
  const startedMs = performance.now();
  await flyer.fly(order);
  return (performance.now() - startedMs) / 1e3;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
