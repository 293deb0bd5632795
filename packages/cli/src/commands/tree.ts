/**
 * `escapement tree`: shows the family tree of the recordings in a folder, with the instant and changes of every branch.
 */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "commander";
import {
  editTexts,
  type FamilyBranch,
  familyOf,
  type FlightDefinition,
  outcomeFromEnd,
  SimError,
  summarise,
} from "@escapement/core";
import { fileErrors, readRecording, readRecordingOverview } from "@escapement/formats";
import { fileError, FileSource } from "@escapement/formats/node";
import { readBytes } from "../load/read-files.ts";
import { columnsOf, type Style, styleFor, width, wrap } from "../print/style.ts";

/** A recording in the tree. */
interface TreeFlight {
  readonly file: string;
  readonly name: string;
  readonly definition: FlightDefinition;
  readonly hash: string;
  readonly parentHash?: string;
  readonly outcome: string;
  readonly endUs: number;
  readonly fingerprint: string;
}

/** A file that is in a folder but not part of the tree. */
interface SkippedFile {
  readonly file: string;
  readonly code: string;
  readonly what: string;
}

export function addTree(program: Command): void {
  program
    .command("tree")
    .description("show which recordings are branches of which, and what each of them changes")
    .argument("[paths...]", "folders or .mcap files; default: this folder")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nTwo recordings belong to one family if their descriptions differ only in events, name and end.\n" +
        "\nExamples:\n  escapement tree\n  escapement tree runs/ --json",
    )
    .action(async (paths: readonly string[], flags: { json?: true }) => {
      const { flights, skipped } = await readFlights(paths.length === 0 ? ["."] : paths);
      const branches = familyOf(flights);
      if (flags.json === true) {
        process.stdout.write(`${treeJson(flights, branches, skipped)}\n`);
        return;
      }
      const style = styleFor(process.stdout, process.env);
      process.stdout.write(`${treeText(flights, branches, style, columnsOf(process.stdout))}\n`);
      const errorStyle = styleFor(process.stderr, process.env);
      for (const { file, code, what } of skipped)
        process.stderr.write(`${errorStyle.trouble(code)}  ${file}: ${what}\n`);
    });
}

/**
 * Reads recordings. A file in a folder is skipped if it is not a recording. A file that is given by name must be a
 * recording.
 */
async function readFlights(paths: readonly string[]): Promise<{ flights: TreeFlight[]; skipped: SkippedFile[] }> {
  const flights: TreeFlight[] = [];
  const skipped: SkippedFile[] = [];
  for (const path of paths) {
    if (!isFolder(path)) {
      flights.push(await readFlight(path));
      continue;
    }
    for (const file of recordingsIn(path)) {
      try {
        flights.push(await readFlight(file));
      } catch (error) {
        if (!(error instanceof SimError)) throw error;
        skipped.push({ file, code: error.code, what: error.what });
      }
    }
  }
  if (flights.length > 0) return { flights, skipped };
  throw fileErrors.notFound({
    what: `there is no recording in ${paths.join(", ")}`,
    where: { file: skipped[0]?.file ?? paths[0]! },
    fix: "write one with `escapement fly --record flight.mcap`",
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileError(error, path, "cannot be read");
    throw fileErrors.notFound({
      what: "the file or folder does not exist",
      where: { file: path },
      fix: "check the path; it is relative to the working folder",
      cause: error,
    });
  }
}

function recordingsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.toLowerCase().endsWith(".mcap"));
  return names.sort().map((name) => join(folder, name));
}

/** Reads only the start and the end of the file, unless the outcome cannot be found there. */
async function readFlight(file: string): Promise<TreeFlight> {
  const source = openSource(file);
  try {
    const { definition, hash, parentHash, plant, endUs, stop, isComplete } = await readRecordingOverview(source, {
      file,
    });
    const outcome = isComplete
      ? (outcomeFromEnd(definition, { stop })?.kind ?? (await readOutcome(file)))
      : "cut short";
    const fingerprint = plant === "" ? "" : `fp1:${plant}`;
    const parent = parentHash === undefined ? {} : { parentHash };
    return { file, name: basename(file), definition, hash, ...parent, outcome, endUs, fingerprint };
  } finally {
    source.close();
  }
}

function openSource(file: string): FileSource {
  try {
    return new FileSource(file);
  } catch (error) {
    throw fileError(error, file, "cannot be read");
  }
}

async function readOutcome(file: string): Promise<string> {
  const { recording } = await readRecording(readBytes(file, "check the path"), { file });
  return summarise(recording).kind;
}

function treeJson(
  flights: readonly TreeFlight[],
  branches: readonly (FamilyBranch | undefined)[],
  skipped: readonly SkippedFile[],
): string {
  const recordings = flights.map(({ file, definition, outcome, endUs, fingerprint }, i) => {
    const branch = branches[i];
    return {
      file,
      flight: definition.name,
      outcome,
      endS: endUs / 1e6,
      fingerprint,
      parent: branch === undefined ? null : flights[branch.parent]!.file,
      forkS: branch === undefined || !Number.isFinite(branch.edit.forkUs) ? null : branch.edit.forkUs / 1e6,
      changes: branch === undefined ? [] : editTexts(branch.edit),
    };
  });
  return JSON.stringify({ recordings, skipped }, null, 2);
}

function treeText(
  flights: readonly TreeFlight[],
  branches: readonly (FamilyBranch | undefined)[],
  style: Style,
  columns: number,
): string {
  const childrenOf = (parent: number | undefined) =>
    [...flights.keys()]
      .filter((i) => branches[i]?.parent === parent)
      .sort((i, j) => (branches[i]?.edit.forkUs ?? 0) - (branches[j]?.edit.forkUs ?? 0));
  const lines = (i: number, indent: string): string[] => {
    const children = childrenOf(i);
    const below = children.length === 0 ? `${indent}  ` : `${indent}│ `;
    return [
      indent + wrap(flightText(flights[i]!, style), columns, below, width(indent)),
      ...children.flatMap((child, place) => {
        const isLast = place === children.length - 1;
        const [joint, next] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
        const text = wrap(branchText(branches[child]!), columns, `${indent}${next}  `, width(indent) + 3);
        return [`${indent}${joint}${text}`, ...lines(child, indent + next)];
      }),
    ];
  };
  return childrenOf(undefined)
    .map((root) => lines(root, "").join("\n"))
    .join("\n\n");
}

/** Returns the file name, the end of the flight, and the first groups of its fingerprint. */
function flightText({ file, outcome, endUs, fingerprint }: TreeFlight, style: Style): string {
  const end = `${outcome} at ${(endUs / 1e6).toFixed(2)} s`;
  const short = fingerprint === "" ? "no fingerprint" : fingerprint.split("-", 2).join("-");
  return `${style.strong(file)}  ${outcome === "completed" ? end : style.trouble(end)}  ${style.quiet(short)}`;
}

/** Returns the instant and the changes of a branch. */
function branchText({ edit }: FamilyBranch): string {
  if (edit.forkUs === Infinity) return "the same flight";
  const instant = edit.forkUs === 0 ? "from the start" : `${edit.forkUs / 1e6} s`;
  return `${instant}  ${editTexts(edit).join("; ")}`;
}
