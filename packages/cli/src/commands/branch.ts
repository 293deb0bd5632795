/** `escapement branch`: goes to an instant of a flight and continues differently, once or in several futures. */
import type { Command } from "commander";
import {
  type BranchEdit,
  EXIT_CODES,
  type FlightResult,
  type FlightSession,
  type PlainObject,
  type ResolvedFlight,
  secondsToUs,
} from "@escapement/core";
import { tomlText } from "@escapement/formats";
import { cliErrors } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { type Future, futuresOf } from "../load/futures.ts";
import { goTo, isPx4, type OpenedFlight, openSession } from "../load/open-session.ts";
import { writeWhole } from "../outputs/files.ts";
import { columnsOf, renderTable, type Style, styleFor } from "../print/style.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface BranchFlags {
  readonly at: string;
  readonly event: readonly string[];
  readonly future: readonly string[];
  readonly sweep?: string;
  readonly without: readonly string[];
  readonly until?: string;
  readonly name?: string;
  readonly record?: string;
  readonly save?: string;
  readonly overwrite?: true;
  readonly with: readonly string[];
  readonly json?: true;
}

/** A branch that was flown to its end. */
interface FlownBranch {
  readonly future: Future;
  readonly result: FlightResult;
  /** True if the branch continued from the memory of its parent. */
  readonly isGrafted: boolean;
  /** The reason why the branch was flown from its start; absent if it continued from its parent. */
  readonly why?: string;
}

export function addBranch(program: Command): void {
  program
    .command("branch")
    .description("go to an instant of a flight and continue it differently")
    .argument("<flight>", "a recording (.mcap), a built-in flight or vehicle, or a .toml or .json file")
    .requiredOption("--at <instant>", 'a time in seconds, a boundary such as "#27800", or an event')
    .option("--event <event>", "add an event at the instant or later, as in a flight file (repeatable)", collect, [])
    .option("--future <event>", "fly one more branch, with this event (repeatable)", collect, [])
    .option("--sweep <key=values>", "fly one branch per value of an event's key: a,b,c or from:to:count")
    .option("--without <event>", "leave out a later event of the flight, by name or number (repeatable)", collect, [])
    .option("--until <seconds>", "end the branches at this time")
    .option("--name <name>", "name of the branch")
    .option("--record <file>", "write a recording of the branch, flown from its start")
    .option("--save <file>", "write the description of the branch (.toml)")
    .option("--overwrite", "replace files that already exist")
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nA branch is the description of the flight with different events from that instant on.\n" +
        "\nExamples:\n  escapement branch flight.mcap --at 27.8 --event 'motorOff = { motor = 2 }'\n" +
        "  escapement branch flight.mcap --at 20 --future rtl --future land --future hold\n" +
        "  escapement branch motor-out --at 9 --without 0 --record healthy.mcap",
    )
    .action(async (name: string, flags: BranchFlags) => {
      process.exitCode = await runBranch(name, flags);
    });
}

async function runBranch(name: string, flags: BranchFlags): Promise<number> {
  const futures = futuresOf(flags);
  if (futures.length > 1 && (flags.record ?? flags.save) !== undefined) {
    throw cliErrors.badEvent({
      what: `--record and --save write one branch, but there are ${futures.length}`,
      fix: "make one branch at a time",
    });
  }
  const opened = await openSession(name, flags);
  const { session } = opened;
  const atUs = goTo(session, flags.at);
  const edit = editOf(session, atUs, flags);
  const edits = futures.map((future) => ({ future, edit: { ...edit, events: future.events } }));
  if (flags.save !== undefined) {
    const { definition } = session.resolveBranch(edits[0]!.edit);
    writeWhole(flags.save, `${tomlText(definition as unknown as PlainObject)}\n`, flags.overwrite === true);
  }
  if (flags.record !== undefined && !isPx4(opened.resolved.definition.autopilot.kind)) {
    const resolved = resolveBranch(opened, edits[0]!.edit);
    const { flyHere } = await import("../run.ts");
    const context = { registry: opened.registry, parentHash: opened.resolved.hash };
    return flyHere(resolved, outputsOf(resolved, flags), context, flags);
  }
  const flown: FlownBranch[] = [];
  for (const each of edits) flown.push({ future: each.future, ...(await flyBranch(opened, each.edit, flags)) });
  session.advance();
  const text =
    flags.json === true
      ? branchJson(session, atUs, flown)
      : branchText(session, atUs, flown, styleFor(process.stdout, process.env), columnsOf(process.stdout));
  process.stdout.write(`${text}\n`);
  return flown.length === 1 ? EXIT_CODES[flown[0]!.result.outcome] : EXIT.done;
}

/** Resolves a branch, which is judged by the requirements of its parent. */
function resolveBranch({ session, resolved }: OpenedFlight, edit: BranchEdit): ResolvedFlight {
  return { ...session.resolveBranch(edit), judged: resolved.judged };
}

function outputsOf({ settings }: ResolvedFlight, { record = "", overwrite }: BranchFlags) {
  return { ...settings.outputs, recording: record, overwrite: overwrite === true };
}

/** Flies a branch to its end: in this process, or from the start if it uses PX4. */
async function flyBranch(
  opened: OpenedFlight,
  edit: BranchEdit,
  flags: BranchFlags,
): Promise<Omit<FlownBranch, "future">> {
  const { session, resolved, recording } = opened;
  if (isPx4(resolved.definition.autopilot.kind)) {
    const { flyBranchWithPx4 } = await import("../px4-branch.ts");
    const branch = resolveBranch(opened, edit);
    const result = await flyBranchWithPx4(
      branch,
      { hash: resolved.hash, recording, atUs: edit.atUs },
      outputsOf(branch, flags),
    );
    return {
      result,
      isGrafted: false,
      why: "PX4's memory is outside this process; every bit up to the instant was compared",
    };
  }
  const branch = session.branch(edit);
  branch.session.advance();
  const { refusal } = branch;
  const result = branch.session.result();
  return {
    result,
    isGrafted: refusal === undefined,
    ...(refusal === undefined ? {} : { why: `${refusal.why} (${refusal.rule})` }),
  };
}

function editOf(session: FlightSession, atUs: number, { without, until, name }: BranchFlags): BranchEdit {
  const events = session.ownEvents;
  const numbers = without.map((given) => {
    const number = /^[0-9]+$/.test(given) ? Number(given) : events.findIndex((event) => event.name === given);
    if (number >= 0) return number;
    const names = events.flatMap((event) => event.name ?? []);
    throw cliErrors.badEvent({
      what: `the flight has no event ${JSON.stringify(given)}`,
      fix: names.length === 0 ? "give its number in the description, from 0" : `use one of: ${names.join(", ")}`,
    });
  });
  return {
    atUs,
    without: numbers,
    ...(name === undefined ? {} : { name }),
    ...(until === undefined ? {} : { endS: secondsToUs(Number(until)) / 1e6 }),
  };
}

function branchJson(parent: FlightSession, atUs: number, flown: readonly FlownBranch[]): string {
  const factsOf = ({ outcome, reason, fingerprint, end, extremes, resolved }: FlightResult) => ({
    name: resolved.definition.name,
    flightHash: resolved.hash,
    outcome,
    reason,
    endS: end.endUs / 1e6,
    fingerprint,
    extremes,
  });
  const branches = flown.map(({ future, isGrafted, why, result }) => ({
    change: future.label,
    events: future.events,
    continuedFromParent: isGrafted,
    ...(why === undefined ? {} : { flownFromStartBecause: why }),
    ...factsOf(result),
  }));
  return JSON.stringify({ atS: atUs / 1e6, parent: factsOf(parent.result()), branches }, null, 2);
}

function branchText(
  parent: FlightSession,
  atUs: number,
  flown: readonly FlownBranch[],
  style: Style,
  columns: number,
): string {
  const row = (label: string, { outcome, end, extremes, fingerprint }: FlightResult) => [
    label,
    outcome === "completed" ? outcome : style.trouble(outcome),
    (end.endUs / 1e6).toFixed(2),
    extremes.positionErrorMaxM.toFixed(2),
    fingerprint.slice(0, 13),
  ];
  const parentResult = parent.result();
  const rows = [row("as flown", parentResult), ...flown.map(({ future, result }) => row(future.label, result))];
  const titles = [
    { title: `from ${atUs / 1e6} s` },
    { title: "outcome" },
    { title: "ends s", right: true },
    { title: "error max m", right: true },
    { title: "fingerprint" },
  ];
  const notes = [
    ...flown.map(({ future, result }) => `${future.label}: ${result.reason}`),
    ...flown.flatMap(({ future, why }) =>
      why === undefined ? [] : [`${future.label} was flown from its start: ${why}`],
    ),
  ];
  const table = renderTable(titles, rows, style, columns);
  return `${style.strong(parentResult.resolved.definition.name)}\n\n${table}\n\n${notes.map((note) => `  ${note}`).join("\n")}`;
}
