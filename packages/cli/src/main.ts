/**
 * The `escapement` command.
 *
 * A flight in a fresh process waits mostly for V8, which reads the program, interprets it and compiles it. So a process
 * that only flies sets flags of V8 and runs the program from scripts, whose compiled code it keeps
 * (docs/adr/0028-the-first-flight-of-a-process.md).
 */
import * as modules from "node:module";
import { setFlagsFromString } from "node:v8";
import { runScript } from "./kept-code.ts";

/**
 * Flags of V8 for a process with one flight, by major version of Node: inline less, which shortens compiling, and compile
 * after fewer calls. Later versions have a quick compiler between interpreter and optimiser, and are not faster with flags.
 */
const FLIGHT_FLAGS: Readonly<Record<string, readonly string[]>> = {
  20: ["--max-inlined-bytecode-size-cumulative=200", "--interrupt-budget=33000"],
  22: ["--max-inlined-bytecode-size-cumulative=200", "--invocation-count-for-turbofan=700"],
};

// A reader that closes the pipe early (`escapement list | head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const args = process.argv.slice(2);
// A process that runs many commands imports this module with queries.
const isFresh = new URL(import.meta.url).search === "";
// Custom parts, which a campaign can have too, import the library, and must share one instance of it with the program.
const hasCustomParts = args.some((arg) => arg.startsWith("--with") || arg.includes("#"));
if (isFresh && args[0] === "fly" && !hasCustomParts) {
  const [major] = process.versions.node.split(".");
  // Compiled code is valid only for the same flags, so they come first.
  for (const flag of FLIGHT_FLAGS[major!] ?? []) setFlagsFromString(flag);
  if (!runScript("script-fly.js")) await runModules();
} else {
  // Node 22.8 and later keep compiled code in the system's folder for temporary files, so that the next start is shorter.
  const { enableCompileCache } = modules as { readonly enableCompileCache?: () => void };
  if (isFresh) enableCompileCache?.();
  await runModules();
}

async function runModules(): Promise<void> {
  const { runCommand } = await import("./every-command.ts");
  await runCommand(args);
}
