/**
 * The `escapement` command: the only place that prints or exits.
 *
 * Each command is one file; heavy parts are loaded by the command that needs them. A user's mistake prints what, where
 * and how to mend it, and exits with 1; wrong usage exits with 2.
 */
import { Command } from "commander";
import { addCompare } from "./commands/compare.ts";
import { addCheck } from "./commands/check.ts";
import { addDiff } from "./commands/diff.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addExplain } from "./commands/explain.ts";
import { addFly } from "./commands/fly.ts";
import { addInit } from "./commands/init.ts";
import { addList } from "./commands/list.ts";
import { addReplay } from "./commands/replay.ts";
import { addReport } from "./commands/report.ts";
import { addVerify } from "./commands/verify.ts";
import { renderError } from "./print/error.ts";
import { styleFor } from "./print/style.ts";
import { VERSION } from "./version.ts";

const program = new Command("escapement")
  .description("A deterministic flight simulator for multirotors with real autopilots in the loop.")
  .version(VERSION)
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text) });
program.exitOverride((error) => {
  process.exitCode = error.exitCode === 0 ? 0 : 2;
  throw error;
});
for (const add of [addFly, addReplay, addCompare, addDiff, addReport, addList, addCheck, addInit, addExplain, addVerify, addDoctor]) add(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  const isUsage = error instanceof Error && "exitCode" in error && (error as { code?: string }).code?.startsWith("commander.") === true;
  if (!isUsage) {
    process.stderr.write(`${renderError(error, styleFor(process.stderr, process.env))}\n`);
    process.exitCode = 1;
  }
}
