/**
 * `escapement diff a b`: shows how two recordings differ in their descriptions, at the first different bit, over time,
 * and signal by signal.
 */
import type { Command } from "commander";
import {
  componentText,
  definitionOf,
  type Difference,
  type DifferenceAt,
  differenceGrowth,
  differencesBetween,
  editBetween,
  editTexts,
  type FedRecording,
  isPlainObject,
  show,
  type SignalDifference,
} from "@escapement/core";
import type { RecordingStream } from "@escapement/formats";
import { EXIT } from "../exit-codes.ts";
import { useRecording } from "../load/read-files.ts";
import { columnsOf, renderTable, type Style, styleFor, wrap } from "../print/style.ts";
import { readLimits } from "./flag-values.ts";
import { READ_LIMIT_FLAG } from "./options.ts";

/** A key whose values in the two descriptions differ. A value is undefined if its description lacks the key. */
interface KeyDifference {
  readonly key: string;
  readonly a: unknown;
  readonly b: unknown;
}

interface BranchDifference {
  /** The earliest time at which the flights can differ; null if their descriptions are equal. */
  readonly forkS: number | null;
  readonly changes: readonly string[];
}

interface RecordingDifference {
  readonly a: string;
  readonly b: string;
  /** End times of the two flights. */
  readonly endS: readonly [a: number, b: number];
  /** True if no signal differs. The descriptions may differ nevertheless, e.g. in the flight's name. */
  readonly sameBits: boolean;
  readonly description: readonly KeyDifference[];
  /** The changes from a to b, if both are branches of one flight; null otherwise. */
  readonly branch: BranchDifference | null;
  /** The first difference; null if there is none. */
  readonly first: Difference | null;
  /** The first signal that differs; the first difference may be an added boundary. */
  readonly firstSignal: Difference | null;
  /** The difference at several times after the first differing signal, and at the end of the shorter flight. */
  readonly growth: readonly DifferenceAt[];
  readonly signals: readonly SignalDifference[];
}

export function addDiff(program: Command): void {
  program
    .command("diff")
    .description("show what differs between two recordings")
    .argument("<a>", "an .mcap file")
    .argument("<b>", "another .mcap file")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 the same bits, 4 different bits, 1 a file cannot be read\n" +
        "\nExamples:\n  escapement diff yesterday.mcap today.mcap\n  escapement diff a.mcap b.mcap --json",
    )
    .action(async (a: string, b: string, flags: { readLimit?: string; json?: true }) => {
      const limits = readLimits(flags);
      const found = await useRecording(a, limits, (left) =>
        useRecording(b, limits, async (right) => compareRecordings(a, left, b, right)),
      );
      const style = styleFor(process.stdout, process.env);
      const text =
        flags.json === true ? JSON.stringify(found, null, 2) : differenceText(found, style, columnsOf(process.stdout));
      process.stdout.write(`${text}\n`);
      process.exitCode = found.sameBits ? EXIT.done : EXIT.differentBits;
    });
}

function compareRecordings(a: string, left: RecordingStream, b: string, right: RecordingStream): RecordingDifference {
  const [one, other] = [left.fed(), right.fed()];
  const { first, firstSignal, signals } = differencesBetween(one, other);
  return {
    a,
    b,
    endS: [one.endUs / 1e6, other.endUs / 1e6],
    sameBits: first === undefined,
    description: keyDifferences(describedBy(left), describedBy(right)),
    branch: branchBetween(left, right),
    first: inBlock(first, one) ?? null,
    firstSignal: inBlock(firstSignal, one) ?? null,
    growth: firstSignal === undefined ? [] : differenceGrowth(one, other, firstSignal.tUs),
    signals,
  };
}

/** Replaces `state` by the name of the block that differs, and the component by its number in that block. */
function inBlock(found: Difference | undefined, { stateBlocks }: FedRecording): Difference | undefined {
  if (found?.signal !== "state") return found;
  let component = found.component;
  for (const { name, size } of stateBlocks) {
    if (component < size) return { ...found, signal: name, component };
    component -= size;
  }
  return found;
}

/**
 * Returns null if the flights are not branches of one flight, and for flights assembled in code, which have no
 * description.
 */
function branchBetween(a: RecordingStream, b: RecordingStream): BranchDifference | null {
  if (a.resolved === null || b.resolved === null) return null;
  const edit = editBetween(definitionOf(a), definitionOf(b));
  if (edit === undefined) return null;
  return { forkS: Number.isFinite(edit.forkUs) ? edit.forkUs / 1e6 : null, changes: editTexts(edit) };
}

/** Returns everything that describes a flight: versions and the definition. */
function describedBy({ resolved, versions }: RecordingStream): unknown {
  return { versions, ...(resolved as object | null) };
}

/** Returns the keys with different values, in the order of the first object. Lists are compared entry by entry. */
export function keyDifferences(a: unknown, b: unknown, path = ""): KeyDifference[] {
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) => keyDifferences(a[key], b[key], path === "" ? key : `${path}.${key}`));
  }
  if (Array.isArray(a) && Array.isArray(b) && (a.some(isPlainObject) || b.some(isPlainObject))) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, i) => keyDifferences(a[i], b[i], `${path}[${i}]`)).flat();
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ key: path, a, b }];
}

function differenceText(found: RecordingDifference, style: Style, columns: number): string {
  const { a, b, sameBits, description, branch, first, firstSignal, growth } = found;
  const head = `${sameBits ? style.accent("the same bits") : style.trouble("different bits")}  ${a} and ${b}`;
  const parts = [head];
  if (description.length === 0) parts.push("the descriptions are equal");
  // For a branch, events are compared below as changes. Their keys `scenario[i]` would shift with every added event.
  const keys = branch === null ? description : description.filter(({ key }) => !key.startsWith("scenario["));
  if (keys.length > 0) parts.push(descriptionText(found, keys, style, columns));
  if (branch !== null && branch.changes.length > 0) parts.push(branchText(found, branch, columns));
  const [endA, endB] = found.endS;
  if (endA !== endB) parts.push(`the flights end at ${endA.toFixed(2)} s and ${endB.toFixed(2)} s`);
  if (first !== null) parts.push(firstText(first, a, b));
  if (firstSignal !== null && first?.stage === "boundaries") {
    parts.push(firstText(firstSignal, a, b, "first differing signal"));
  }
  if (growth.length > 0) parts.push(growthText(growth, firstSignal!.tUs, style, columns));
  if (found.signals.length > 0) parts.push(signalsText(found.signals, style, columns));
  return parts.join("\n\n");
}

function descriptionText(
  { a, b }: RecordingDifference,
  keys: readonly KeyDifference[],
  style: Style,
  columns: number,
): string {
  const valueText = (value: unknown) => (value === undefined ? "—" : show(value));
  return renderTable(
    [{ title: "description" }, { title: a }, { title: b }],
    keys.map((each) => [each.key, valueText(each.a), valueText(each.b)]),
    style,
    columns,
  );
}

function branchText({ a, b }: RecordingDifference, { forkS, changes }: BranchDifference, columns: number): string {
  const instant = forkS === null || forkS === 0 ? "at the start" : `at ${forkS} s`;
  const lines = changes.map((change) => `  ${wrap(change, columns, "    ", 2)}`);
  return [wrap(`${b} branches from ${a} ${instant}:`, columns, "  ", 0), ...lines].join("\n");
}

function growthText(growth: readonly DifferenceAt[], fromUs: number, style: Style, columns: number): string {
  const size = (value: number | undefined) =>
    value === undefined ? "—" : value === 0 ? "0" : value < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
  return renderTable(
    [
      { title: "difference after" },
      ...["position m", "velocity m/s", "attitude °", "motor command"].map((title) => ({ title, right: true })),
    ],
    growth.map(({ tUs, positionM, velocityMps, attitudeDeg, motorCommand }, i) => [
      `${((tUs - fromUs) / 1e6).toFixed(2)} s${i === growth.length - 1 ? " (end)" : ""}`,
      ...[positionM, velocityMps, attitudeDeg, motorCommand].map(size),
    ]),
    style,
    columns,
  );
}

function signalsText(signals: readonly SignalDifference[], style: Style, columns: number): string {
  return renderTable(
    [
      { title: "signal" },
      { title: "stage" },
      { title: "first differs at", right: true },
      { title: "largest", right: true },
      { title: "unit" },
      { title: "at", right: true },
    ],
    signals.map(({ signal, stage, firstUs, largest, unit, largestUs, component }) => [
      componentText(signal, component),
      stage,
      `${(firstUs / 1e6).toFixed(3)} s`,
      Number(largest.toPrecision(3)).toString(),
      unit,
      `${(largestUs / 1e6).toFixed(3)} s`,
    ]),
    style,
    columns,
  );
}

/** Larger distances are not printed, because they are not useful. */
const MAX_PRINTED_ULPS = 1e6;

/** Formats the first difference with both values. */
export function firstText(
  { tUs, boundary, stage, signal, component, a, b, ulps }: Difference,
  fileA: string,
  fileB: string,
  what = "first difference",
): string {
  const isScalar = stage === "boundaries" || stage === "vehicle";
  const instant = `${(tUs / 1e6).toFixed(6)} s, boundary ${boundary}`;
  const place = `${what} at ${instant}, in ${stage}: ${isScalar ? signal : componentText(signal, component)}`;
  const widest = Math.max(fileA.length, fileB.length);
  const apart = isScalar || ulps > MAX_PRINTED_ULPS ? [] : [`${ulps} ulp apart`];
  return [place, `${fileA.padEnd(widest)}  ${a}`, `${fileB.padEnd(widest)}  ${b}`, ...apart].join("\n  ");
}
