/**
 * Encodes and decodes lines of a journal: canonical JSON, `#`, and the CRC-32 of the JSON in eight hex digits. A line
 * that was cut short by a kill, or changed, does not match its checksum.
 */
import { crc32 } from "../bytes/crc32.ts";
import { isPlainObject } from "@escapement/core";
import { numberFromJson, textOf } from "./plain-numbers.ts";
import type { Manifest, Row, RowBinding, RowOutcome, RowVerdict, VariedValue } from "./row.ts";
import { JOURNAL_FORMAT } from "./row.ts";

/** `#` and eight digits. */
const CHECKSUM_LENGTH = 9;
const utf8 = new TextEncoder();

export function encodeLine(value: Row | Manifest): string {
  return checkedText(value);
}

/** Encodes any value as a line. */
export function checkedText(value: unknown): string {
  const text = textOf(value);
  return `${text}#${checksumOf(text)}\n`;
}

/**
 * Returns the value of a line, given without its line break. Returns undefined if the line is incomplete or changed.
 */
export function decodeLine(line: string): unknown {
  const text = line.slice(0, -CHECKSUM_LENGTH);
  if (line.slice(-CHECKSUM_LENGTH) !== `#${checksumOf(text)}`) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function checksumOf(text: string): string {
  return crc32(utf8.encode(text)).toString(16).padStart(8, "0");
}

const OUTCOMES: Readonly<Record<RowOutcome, true>> = {
  completed: true,
  crashed: true,
  failed: true,
  "time ran out": true,
  cut: true,
  refused: true,
  poisoned: true,
};
const VERDICTS: Readonly<Record<RowVerdict["verdict"], true>> = {
  holds: true,
  violated: true,
  undecided: true,
  untested: true,
};

/** Converts parsed JSON to a row. Returns undefined if it is not one. */
export function rowFrom(given: unknown): Row | undefined {
  if (!isPlainObject(given)) return undefined;
  const { k, hash, fingerprint, outcome, reason, endUs, varied, verdicts, measures, isRepeatable, weight, rises } =
    given;
  if (!isCount(k) || !isCount(endUs)) return undefined;
  if (typeof hash !== "string" || typeof fingerprint !== "string" || typeof reason !== "string") return undefined;
  if (typeof outcome !== "string" || !Object.hasOwn(OUTCOMES, outcome)) return undefined;
  if (!Array.isArray(varied) || !varied.every(isVariedValue)) return undefined;
  const judged = listOf(verdicts, verdictFrom);
  const measured = listOf(measures, (value) => (value === null ? null : numberFromJson(value)));
  if (judged === undefined || measured === undefined) return undefined;
  if (weight !== undefined && typeof weight !== "number") return undefined;
  if (isRepeatable !== undefined && isRepeatable !== false) return undefined;
  const risen = rises === undefined ? [] : listOf(rises, riseFrom);
  if (risen === undefined) return undefined;
  return {
    k,
    hash,
    fingerprint,
    outcome: outcome as RowOutcome,
    reason,
    endUs,
    varied,
    verdicts: judged,
    measures: measured,
    ...(isRepeatable === undefined ? {} : { isRepeatable }),
    ...(weight === undefined ? {} : { weight }),
    ...(rises === undefined ? {} : { rises: risen }),
  };
}

function riseFrom(given: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(given) || given.length !== 2 || !isCount(given[0])) return undefined;
  const score = numberFromJson(given[1]);
  return score === undefined ? undefined : [given[0], score];
}

function verdictFrom(given: unknown): RowVerdict | undefined {
  if (!isPlainObject(given)) return undefined;
  const { verdict } = given;
  if (typeof verdict !== "string" || !Object.hasOwn(VERDICTS, verdict)) return undefined;
  const numbers = ["low", "high", "scaledLow", "scaledHigh"].map((key) => numberFromJson(given[key]));
  const binding = given["binding"] === null ? null : bindingFrom(given["binding"]);
  if (binding === undefined || numbers.includes(undefined)) return undefined;
  const [low, high, scaledLow, scaledHigh] = numbers as number[];
  return {
    verdict: verdict as RowVerdict["verdict"],
    low: low!,
    high: high!,
    scaledLow: scaledLow!,
    scaledHigh: scaledHigh!,
    binding,
  };
}

function bindingFrom(given: unknown): RowBinding | undefined {
  if (!isPlainObject(given)) return undefined;
  const { predicate, tUs, unit } = given;
  const margin = numberFromJson(given["margin"]);
  const value = numberFromJson(given["value"]);
  if (typeof predicate !== "string" || typeof unit !== "string" || !isCount(tUs)) return undefined;
  if (margin === undefined || value === undefined) return undefined;
  return { predicate, tUs, margin, value, unit };
}

function listOf<T>(given: unknown, read: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const items = given.map((item) => read(item));
  return items.includes(undefined) ? undefined : (items as T[]);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isVariedValue(value: unknown): value is VariedValue {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean";
}

/**
 * Converts parsed JSON to a manifest. If it has another format than JOURNAL_FORMAT, returns only that format's number.
 * Returns undefined if it is not a manifest.
 */
export function manifestFrom(given: unknown): Manifest | number | undefined {
  if (!isPlainObject(given)) return undefined;
  const { format, identity, code, judged, name, file, plan, flights, seed, seeds, isRepeatable, criteria } = given;
  if (typeof format === "number" && format !== JOURNAL_FORMAT) return format;
  const texts = [identity, code, judged, name, file];
  if (format !== JOURNAL_FORMAT || texts.some((text) => typeof text !== "string")) return undefined;
  if (!isPlainObject(plan) || typeof plan["kind"] !== "string") return undefined;
  if (!isCount(flights) || !isCount(seed) || typeof isRepeatable !== "boolean") return undefined;
  if (seeds !== "per-flight" && seeds !== "common") return undefined;
  const { keys, requirements, measures, shard } = given;
  if (!isListOf(keys, isKey) || !isListOf(requirements, isRequirement) || !isListOf(measures, isMeasure)) {
    return undefined;
  }
  if (!Array.isArray(criteria) || !criteria.every((text) => typeof text === "string")) return undefined;
  if (shard !== undefined && !isShard(shard)) return undefined;
  return given as unknown as Manifest;
}

type Item = Readonly<Record<string, unknown>>;

function isListOf(given: unknown, isItem: (item: Item) => boolean): boolean {
  return Array.isArray(given) && given.every((item) => isPlainObject(item) && isItem(item));
}

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === "string");

function isKey({ key, unit, distribution }: Item): boolean {
  return areTexts(key, unit) && isPlainObject(distribution);
}

function isRequirement({ name, text, severity, mustOccur, unit }: Item): boolean {
  const isSeverity = severity === "error" || severity === "warning";
  return areTexts(name, text, unit ?? "") && isSeverity && typeof mustOccur === "boolean";
}

function isMeasure({ name, unit, text }: Item): boolean {
  return areTexts(name, unit, text);
}

function isShard(given: unknown): boolean {
  return isPlainObject(given) && isCount(given["index"]) && isCount(given["count"]) && given["index"] < given["count"];
}

/** Returns the reason why a row cannot belong to a campaign, or undefined if it can. */
export function mismatchOf(row: Row, { flights, keys, requirements, measures }: Manifest): string | undefined {
  const { k, varied, verdicts, measures: measured } = row;
  if (k >= flights) return `it contains flight ${k}, but the campaign has only ${flights} flights`;
  const isLength = (list: readonly unknown[], length: number) => list.length === length || list.length === 0;
  const fits =
    isLength(varied, keys.length) && isLength(verdicts, requirements.length) && isLength(measured, measures.length);
  return fits ? undefined : `the values of flight ${k} do not match the keys, requirements and measures`;
}
