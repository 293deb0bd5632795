/**
 * `npm run test:attack`: runs every attack in its own process and prints a summary.
 *
 * `--share 0.1` runs a tenth of the cases (the default), `--seed 2` uses different cases, and `--only csv` runs the
 * attacks whose name contains the text. `--from 42000` starts at that case and so continues a run that was interrupted.
 * If a case takes longer than ten seconds of processor time, its process is ended and the case is reported as a hang;
 * the attack continues with the next case. The exit code is 1 if there is any fault.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ATTACKS } from "./attacks.ts";
import { bundle } from "./bundle.ts";
import type { FromChild, Tally } from "./child.ts";
import { killOnce } from "./kills.ts";

const HANG_MS = 10_000;
/** Time limit for starting a process and preparing an attack, which take longer than a case. */
const START_MS = 600_000;
const MAX_BYTES = 1e9;
/** Limit of the heap, so that the memory of a process is what its cases need. Without it, V8 collects garbage late. */
const HEAP_MEGABYTES = 600;
const SHOWN_FAULTS = 5;
const PROGRESS_MS = 30_000;
/** Number of cases that are run one by one to find the one that ended a process. */
const SEARCHED_CASES = 2000;
/** Number of kills in a full run. */
const KILLS = 200;

const USAGE = `npm run test:attack -- [--share 0.1] [--seed 1] [--only <text>] [--from <case>]

  --share  fraction of the cases of a full run (default 0.1)
  --seed   other cases (default 1)
  --only   only the attacks whose name contains this text: ${ATTACKS.map(({ name }) => name).join(", ")}, killed writers
  --from   first case, to continue an interrupted run of one attack (default 0)
`;

const { values: flags } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    share: { type: "string", default: "0.1" },
    only: { type: "string", default: "" },
    from: { type: "string", default: "0" },
  },
});

if (flags.help) {
  process.stdout.write(USAGE);
  process.exit();
}

// Bundles start faster than sources, and do not change if a source is edited during a long run.
const childProgram = await bundle("child");

interface Outcome extends Tally {
  readonly name: string;
  readonly faults: readonly string[];
}

let shownMs = Date.now();
function showProgress(name: string, done: number, cases: number, faults: number): void {
  if (Date.now() - shownMs < PROGRESS_MS) return;
  shownMs = Date.now();
  process.stderr.write(`${name}: ${done} of ${cases}, ${faults} faults\n`);
}

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_S = 100;

/** Returns the processor time of a process; undefined on systems without `/proc`. */
function processorMs(pid: number): number | undefined {
  try {
    // User and system time are the 12th and 13th field after the name in parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
  } catch {
    return undefined;
  }
}

interface Cases {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Whether every case is reported, which is slower, but identifies the case that ends the process. */
  readonly reportsEach: boolean;
}

/** Runs cases in one process; returns the last case that it reported if it hung or ended early. */
function runCases({ name, from, to, reportsEach }: Cases, total: Tally, faults: string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = fork(childProgram, [name, flags.seed, String(from), String(to), reportsEach ? "each" : "some"], {
      execArgv: ["--unhandled-rejections=warn", `--max-old-space-size=${HEAP_MEGABYTES}`, "--single-threaded"],
    });
    let current = from;
    let tally: Tally = { accepted: 0, refused: 0, rssBytes: 0, heapBytes: 0 };
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      child.kill("SIGKILL");
    };
    let usedMs = 0;
    const stopIfBusy = () => {
      // On a busy machine, ten seconds of wall time may contain little processor time.
      const nowMs = processorMs(child.pid!) ?? Infinity;
      if (nowMs - usedMs >= HANG_MS) stop();
      else timer = setTimeout(stopIfBusy, HANG_MS);
    };
    let timer = setTimeout(stop, START_MS);
    child.on("message", (message: FromChild) => {
      clearTimeout(timer);
      if (message.kind === "fault") faults.push(`case ${message.i}: ${message.text}`);
      else {
        current = message.i;
        tally = message.tally;
        showProgress(name, current, to, faults.length);
      }
      usedMs = processorMs(child.pid!) ?? 0;
      timer = setTimeout(stopIfBusy, HANG_MS);
    });
    child.on("exit", (code) => {
      clearTimeout(timer);
      total.accepted += tally.accepted;
      total.refused += tally.refused;
      total.rssBytes = Math.max(total.rssBytes, tally.rssBytes);
      total.heapBytes = Math.max(total.heapBytes, tally.heapBytes);
      if (!isStopped && code !== 0) faults.push(`from case ${current} on: the process ended with code ${code}`);
      resolve(isStopped || code !== 0 ? current : undefined);
    });
  });
}

async function run(name: string, cases: number): Promise<Outcome> {
  const tally: Tally = { accepted: 0, refused: 0, rssBytes: 0, heapBytes: 0 };
  const faults: string[] = [];
  let from = Number(flags.from);
  let reportsEach = false;
  while (from < cases) {
    const to = reportsEach ? Math.min(cases, from + SEARCHED_CASES) : cases;
    const last = await runCases({ name, from, to, reportsEach }, tally, faults);
    if (last === undefined) from = to;
    else if (reportsEach) {
      faults.push(`case ${last}: took longer than ${HANG_MS / 1000} s of processor time, or ended its process`);
      from = last + 1;
    } else from = last;
    // Once a process has ended early, the cases after its last report are run again one by one.
    reportsEach = last !== undefined && !reportsEach;
  }
  if (tally.rssBytes > MAX_BYTES) faults.push(`${Math.round(tally.rssBytes / 1e6)} MB of memory`);
  return { name, ...tally, faults };
}

const rows: Outcome[] = [];
for (const { name, cases } of ATTACKS.filter((attack) => attack.name.includes(flags.only))) {
  const outcome = await run(name, Math.ceil(cases * Number(flags.share)));
  rows.push(outcome);
  const { accepted, refused, rssBytes, heapBytes, faults } = outcome;
  process.stdout.write(
    `${name.padEnd(26)} ${String(accepted + refused).padStart(7)} cases  ${String(accepted).padStart(6)} accepted  ${String(refused).padStart(6)} refused  ` +
      `${String(Math.round(rssBytes / 1e6)).padStart(5)} MB, heap ${String(Math.round(heapBytes / 1e6)).padStart(4)} MB  ${faults.length} faults\n`,
  );
  for (const fault of faults.slice(0, SHOWN_FAULTS)) process.stdout.write(`    ${fault}\n`);
}
if ("killed writers".includes(flags.only)) {
  const kills = Math.ceil(KILLS * Number(flags.share));
  const program = await bundle("kill-child");
  const faults: string[] = [];
  for (let i = 0; i < kills; i += 1) {
    for (const fault of await killOnce(program, Number(flags.seed), i)) faults.push(`kill ${i}: ${fault}`);
  }
  rows.push({ name: "killed writers", accepted: kills, refused: 0, rssBytes: 0, heapBytes: 0, faults });
  process.stdout.write(`${"killed writers".padEnd(26)} ${String(kills).padStart(7)} kills  ${faults.length} faults\n`);
  for (const fault of faults.slice(0, SHOWN_FAULTS)) process.stdout.write(`    ${fault}\n`);
}
const total = rows.reduce((sum, { faults }) => sum + faults.length, 0);
process.stdout.write(`${total} faults, seed ${flags.seed}\n`);
process.exitCode = total === 0 ? 0 : 1;
