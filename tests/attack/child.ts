/** Runs the cases of one attack and reports to the process that started it. */
import { ATTACKS } from "./attacks.ts";

export interface Tally {
  accepted: number;
  refused: number;
  /** Peak memory of the process, and its current heap. */
  rssBytes: number;
  heapBytes: number;
}

export type FromChild =
  | { readonly kind: "at"; readonly i: number; readonly tally: Tally }
  | { readonly kind: "fault"; readonly i: number; readonly text: string };

const REPORT_MS = 500;
/** If `each` is set, the process reports before every case, so that the parent can tell which case hangs. */
const [name, seed, from, to, each] = process.argv.slice(2);
const attack = ATTACKS.find((candidate) => candidate.name === name)!;
const send = (message: FromChild): void => void process.send!(message);
const tally: Tally = { accepted: 0, refused: 0, rssBytes: 0, heapBytes: 0 };

let i = Number(from);
process.on("unhandledRejection", (error) => send({ kind: "fault", i, text: `unhandled rejection: ${String(error)}` }));
const run = await attack.prepare(Number(seed));
let reportedMs = 0;
function report(): void {
  reportedMs = Date.now();
  tally.rssBytes = process.resourceUsage().maxRSS * 1024;
  tally.heapBytes = process.memoryUsage().heapUsed;
  send({ kind: "at", i, tally });
}
for (; i < Number(to); i += 1) {
  if (each === "each" || Date.now() - reportedMs > REPORT_MS) {
    report();
    // Let the event loop deliver messages and unhandled rejections.
    await new Promise((resolve) => setImmediate(resolve));
  }
  try {
    tally[await run(i)] += 1;
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
    send({ kind: "fault", i, text: text.slice(0, 600) });
  }
}
report();
process.disconnect();
