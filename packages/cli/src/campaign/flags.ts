/** Parses and checks the flags of `campaign`. */
import type { FleetLimits } from "@escapement/campaign";
import { cliErrors } from "../errors.ts";

/** Parses `--shard 3/100`, the third of a hundred parts. Parts are numbered from 1; the returned index starts at 0. */
export function shardFlag(text: string | undefined): { readonly index: number; readonly count: number } | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^([0-9]{1,7})\/([0-9]{1,7})$/.exec(text) ?? [];
  const [i, n] = [Number(index), Number(count)];
  if (index !== undefined && i >= 1 && i <= n) return { index: i - 1, count: n };
  throw badFlag("--shard", text, "use the part and the number of parts, e.g. 3/100; the first part is 1");
}

/** Parses `--flights 100..200`, which is flights 100 to 199. */
export function numbersFlag(text: string | undefined): { readonly from?: number; readonly to?: number } {
  if (text === undefined) return {};
  const [, from, to] = /^([0-9]{0,10})\.\.([0-9]{0,10})$/.exec(text) ?? [];
  const [a, b] = [from === "" ? 0 : Number(from), to === "" ? Infinity : Number(to)];
  if (from !== undefined && a < b) return { from: a, to: b };
  throw badFlag("--flights", text, "use the first number and the last number plus 1, e.g. 100..200");
}

export function threadsFlag(text: string | undefined, flag = "--jobs"): number | undefined {
  if (text === undefined) return undefined;
  const threads = Number(text);
  if (/^[0-9]+$/.test(text) && threads >= 1 && threads <= 1024) return threads;
  throw badFlag(flag, text, "use a number of concurrent flights, from 1 to 1024");
}

/** Parses `--lock 30`, in seconds. Returns milliseconds. */
export function lockFlag(text: string | undefined): number {
  if (text === undefined) return 30_000;
  const seconds = Number(text);
  if (/^[0-9.]+$/.test(text) && seconds >= 1 && seconds <= 3600) return Math.round(1e3 * seconds);
  throw badFlag("--lock", text, "use a time in seconds, from 1 to 3600");
}

/** Parses `--limit 30`, the processor time in seconds that every flight may take. */
export function limitFlag(text: string | undefined): Partial<FleetLimits> {
  if (text === undefined) return {};
  const seconds = Number(text);
  if (/^[0-9.]+$/.test(text) && seconds >= 0.1 && seconds <= 86_400) return { flightMs: 1e3 * seconds };
  throw badFlag("--limit", text, "use a time in seconds, from 0.1 to 86400");
}

/** Parses `--sample 5%`, the fraction of the rows to fly again. */
export function sampleFlag(text: string | undefined): number {
  if (text === undefined) return 0.05;
  const [, number] = /^([0-9]{1,3}(?:\.[0-9]+)?) ?%$/.exec(text) ?? [];
  const share = Number(number) / 100;
  if (number !== undefined && share <= 1) return share;
  throw badFlag("--sample", text, "use a fraction of the rows in percent, e.g. 5%");
}

function badFlag(flag: string, text: string, fix: string): Error {
  return cliErrors.badCampaignFlag({ what: `${flag} ${text} is not a valid value`, fix });
}
