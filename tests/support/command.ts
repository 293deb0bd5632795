/** The command as users run it: bundled like the release, once for all tests that start it. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import configs from "../../rolldown.config.ts";
import { buildOnce, root } from "./build-once.ts";

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly complaint: string;
}

export class BuiltCommand {
  readonly folder: string;
  readonly main: string;

  constructor(folder: string) {
    this.folder = folder;
    this.main = join(folder, "escapement.js");
  }

  start(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    return spawn(process.execPath, [this.main, ...args], { stdio: ["ignore", "pipe", "pipe"], ...options });
  }

  run(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
    return finished(this.start(args, options));
  }
}

export async function buildCommand(): Promise<BuiltCommand> {
  const folder = await buildOnce("command", async (dir) => {
    for (const { output, ...input } of configs as readonly (InputOptions & { output: OutputOptions })[]) {
      const build = await rolldown({ ...input, cwd: root, logLevel: "silent" });
      await build.write({ ...output, dir });
      await build.close();
    }
  });
  return new BuiltCommand(folder);
}

export function finished(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let [out, complaint] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, out, complaint }));
  });
}
