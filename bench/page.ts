/**
 * Makes the generated parts of docs/benchmarks.md: a table per machine with committed results, and descriptions of the
 * rows.
 *
 * They depend only on bench/results and the rows, so a test can check that the page is up to date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { PRECISION_RESULTS, precisionTables, type PrecisionResults } from "./precision/index.ts";
import type { PeerResult } from "./peers/peer.ts";
import type { Results } from "./results.ts";
import { groups } from "./rows/index.ts";
import type { Row } from "./rows/row.ts";
import { markdownTable, missedLimits } from "./table.ts";

export const PAGE = "docs/benchmarks.md";
const RESULTS = "bench/results";
export const PEER_RESULTS = "bench/results/peers";

export interface PeerResults {
  readonly machine: Machine;
  readonly commit: string;
  readonly peers: readonly PeerResult[];
}

export function allRows(): Row[] {
  return groups.flatMap(({ rows }) => rows);
}

function resultsText({ machine, commit, processes, load, rows }: Results): string {
  const { cpu, cores, memoryGb, os, node, v8, compiler } = machine;
  const missed = missedLimits(allRows(), rows);
  return [
    `### ${cpu}, ${cores} cores`,
    "",
    `${memoryGb} GB, ${os}, Node ${node} (V8 ${v8}), ${compiler ?? "no compiler"}; commit ${commit}; ${processes === 1 ? "one process" : `worst of ${processes} processes`}; load ${load.toFixed(1)} (about 1 on a quiet machine).`,
    "",
    markdownTable(allRows(), rows),
    "",
    missed.length === 0 ? "Every limit is met." : "Not reached:",
    ...(missed.length === 0 ? [] : ["", ...missed.map((line) => `- ${line}`)]),
  ].join("\n");
}

/** Formats the table of other simulators, the fastest first. */
export function peersTable({ machine, commit, peers }: PeerResults): string {
  const sorted = [...peers].sort((a, b) => b.simulatedS / b.wallS - a.simulatedS / a.wallS);
  const line = ({ name, simulatedS, wallS, steps, work }: PeerResult) => {
    const perStep = (1e6 * wallS) / steps;
    return `| ${name} | ${(simulatedS / wallS).toPrecision(3)} × | ${perStep.toPrecision(3)} µs | ${work} |`;
  };
  return [
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; commit ${commit}.`,
    "",
    "| simulator | real time | time per physics step | work done |",
    "|---|---:|---:|---|",
    ...sorted.map(line),
  ].join("\n");
}

function rowsText(): string {
  const line = ({ name, about, base }: Row) => `- **${name}**: ${about}${base === undefined ? "" : ` Base: ${base}.`}`;
  return allRows().map(line).join("\n");
}

function resultsIn<T>(folder: string): T[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as T);
}

export function benchmarksPage(root: string): string {
  const parts = {
    results: resultsIn<Results>(join(root, RESULTS)).map(resultsText).join("\n\n"),
    peers: resultsIn<PeerResults>(join(root, PEER_RESULTS)).map(peersTable).join("\n\n"),
    precision: resultsIn<PrecisionResults>(join(root, PRECISION_RESULTS)).map(precisionTables).join("\n\n"),
    rows: rowsText(),
  };
  const page = readFileSync(join(root, PAGE), "utf8");
  return Object.entries(parts).reduce((text, [name, part]) => replacePart(text, name, part), page);
}

export function writePage(root: string): void {
  writeFileSync(join(root, PAGE), benchmarksPage(root));
}

/** Replaces the text between the marks of that name. */
function replacePart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the generated part "${name}"`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
