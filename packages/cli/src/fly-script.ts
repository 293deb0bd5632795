/** Runs `escapement fly` as a script, whose compiled code `kept-code.ts` keeps. */
import { addFly } from "./commands/fly.ts";
import { layOutHelp } from "./commands/options.ts";
import { runProgram } from "./program.ts";

/** Resources of the standard streams, which do not keep a process alive. */
const STREAMS: readonly string[] = ["PipeWrap", "TTYWrap"];

void runProgram(process.argv.slice(2), {
  name: "fly",
  add: (program) => {
    layOutHelp(program);
    addFly(program);
  },
}).then(() => {
  const isWritten = process.stdout.writableLength + process.stderr.writableLength === 0;
  const isIdle = process.getActiveResourcesInfo().every((name) => STREAMS.includes(name));
  // The process would end by itself, but some milliseconds later, because Node then frees the heap piece by piece.
  if (isWritten && isIdle) process.exit();
});
