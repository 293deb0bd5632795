/**
 * `npm run bench`: runs the suite in five fresh processes and prints one table.
 *
 *   npm run bench -- engine mission        only these groups
 *   npm run bench -- --quick               one process, few rounds, no limits: checks that everything runs
 *   npm run bench -- --processes 9
 *   npm run bench -- --write               also writes bench/results and the tables of docs/benchmarks.md
 *   npm run bench -- --against main~1      compares the groups of steps, engine and mission with a commit
 *   npm run bench -- peers                 other simulators, if they are installed
 *   npm run bench -- precision             errors and costs of the integrators
 *   npm run bench -- kernel                rebuilds the WebAssembly kernel
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { against } from "./against.ts";
import { makeKernel } from "./kernel.ts";
import { commit, machine } from "./machine.ts";
import { allRows, writePage } from "./page.ts";
import { runPeers } from "./peers/index.ts";
import { runPrecision } from "./precision/index.ts";
import { changes, readResults, writeResults } from "./results.ts";
import { chosenGroups, runSuite, worstOf } from "./suite.ts";
import { missedLimits, screenTable } from "./table.ts";

const PROCESSES = 5;
/** Load above which other programs were running too. */
const BUSY_LOAD = 1.6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    processes: { type: "string" },
    write: { type: "boolean", default: false },
    against: { type: "string" },
  },
});

const out = (text: string) => process.stdout.write(`${text}\n`);
const showProgress = (line: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
const processes = values.quick ? 1 : Number(values.processes ?? PROCESSES);

async function suite(): Promise<void> {
  const here = machine();
  // Read the commit before bundling, because it may change during the run.
  const built = commit();
  const found = await runSuite({ processes, isQuick: values.quick, only: positionals, showProgress });
  const rows = worstOf(found);
  const [, load = 0] = loadavg();
  showProgress("");
  out(`${here.cpu}, ${here.cores} cores, Node ${here.node}, ${here.compiler ?? "no compiler"}; commit ${built}`);
  out(`worst of ${processes} ${processes === 1 ? "process" : "processes"}; ratios: our time over theirs\n`);
  out(screenTable(allRows(), rows, !values.quick));
  if (values.quick) return;
  if (load > BUSY_LOAD)
    out(`\nThe machine was busy (load ${load.toFixed(1)}): whole flights and cold starts read too high.`);
  const missed = missedLimits(allRows(), rows);
  out(missed.length === 0 ? "\nEvery limit is met." : `\nNot reached:\n  ${missed.join("\n  ")}`);
  const before = readResults(here);
  if (before !== undefined) {
    const lines = changes(before.rows, rows);
    out(`\nSince ${before.commit}: ${lines.length === 0 ? "no change of 5 % or more" : `\n  ${lines.join("\n  ")}`}`);
  }
  if (!values.write) return;
  if (positionals.length > 0) throw new Error("only a run of the whole suite can be written");
  out(`\nwritten: ${writeResults({ machine: here, commit: built, processes, load, rows })}`);
  writePage(process.cwd());
}

function areKnown(): boolean {
  try {
    return chosenGroups(positionals).length > 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
    return false;
  }
}

if (positionals[0] === "kernel") makeKernel(join(process.cwd(), "bench/native"));
else if (positionals[0] === "peers") await runPeers({ shouldWrite: values.write, out });
else if (positionals[0] === "precision") {
  await runPrecision({ vehicles: positionals.slice(1), shouldWrite: values.write, out, showProgress });
  if (values.write) writePage(process.cwd());
} else if (values.against !== undefined)
  out((await against({ ref: values.against, processes, isQuick: values.quick, showProgress })).join("\n"));
else if (areKnown()) await suite();
