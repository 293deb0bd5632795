/** Runs `escapement fly` as a script, whose compiled code `kept-code.ts` keeps. */
import { addFly } from "./commands/fly.ts";
import { layOutHelp } from "./commands/options.ts";
import { runProgram } from "./program.ts";

void runProgram(process.argv.slice(2), {
  name: "fly",
  add: (program) => {
    layOutHelp(program);
    addFly(program);
  },
});
