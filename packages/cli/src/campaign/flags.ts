/** Values of the flags of `campaign`, checked. */
import type { FleetLimits } from "@escapement/campaign";
import { cliErrors } from "../errors.ts";

/** `--shard 3/100`: the third of a hundred parts. Numbers start at 1, indices at 0. */
export function shardFlag(text: string | undefined): { readonly index: number; readonly count: number } | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^([0-9]{1,7})\/([0-9]{1,7})$/.exec(text) ?? [];
  const [i, n] = [Number(index), Number(count)];
  if (index !== undefined && i >= 1 && i <= n) return { index: i - 1, count: n };
  throw wrong("--shard", text, "the part and the number of parts, e.g. 3/100; parts start at 1");
}

/** `--flights 100..200`: from 100 to 199. */
export function numbersFlag(text: string | undefined): { readonly from?: number; readonly to?: number } {
  if (text === undefined) return {};
  const [, from, to] = /^([0-9]{0,10})\.\.([0-9]{0,10})$/.exec(text) ?? [];
  const [a, b] = [from === "" ? 0 : Number(from), to === "" ? Infinity : Number(to)];
  if (from !== undefined && a < b) return { from: a, to: b };
  throw wrong("--flights", text, "the first number and the one after the last, e.g. 100..200");
}

export function threadsFlag(text: string | undefined, flag = "--jobs"): number | undefined {
  if (text === undefined) return undefined;
  const threads = Number(text);
  if (/^[0-9]+$/.test(text) && threads >= 1 && threads <= 1024) return threads;
  throw wrong(flag, text, "a number of flights at the same time, from 1");
}

/** `--lock 30`, in seconds. Returns milliseconds. */
export function lockFlag(text: string | undefined): number {
  if (text === undefined) return 30_000;
  const seconds = Number(text);
  if (/^[0-9.]+$/.test(text) && seconds >= 1 && seconds <= 3600) return 1e3 * seconds;
  throw wrong("--lock", text, "a time in seconds, from 1 to 3600");
}

/** `--limit 30`: seconds of wall time that a flight may always take. */
export function limitFlag(text: string | undefined): Partial<FleetLimits> {
  if (text === undefined) return {};
  const seconds = Number(text);
  if (/^[0-9.]+$/.test(text) && seconds >= 0.1 && seconds <= 86_400) return { flightMs: 1e3 * seconds };
  throw wrong("--limit", text, "a time in seconds, from 0.1 to 86400");
}

function wrong(flag: string, text: string, fix: string): Error {
  return cliErrors.badCampaignFlag({ what: `${flag} ${text} cannot be used`, fix });
}
