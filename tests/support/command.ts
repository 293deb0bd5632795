/** Runs the command as users run it: bundled like the release, once for all tests that start it. */
import { type ChildProcess, fork, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import configs from "../../rolldown.config.ts";
import { buildOnce, root } from "./build-once.ts";

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
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

/**
 * Runs the command many times in one process, one run after another, for tests that check its results and not the
 * process. Modules load only once.
 */
export class CommandSession {
  private readonly child: ChildProcess;
  private readonly cwd: string;

  constructor({ main }: BuiltCommand, cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.cwd = cwd;
    // Pipes, so that the command prints no progress and no colours.
    this.child = fork(new URL("./command-session.mjs", import.meta.url), [main], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, ...env },
    });
    this.child.stderr!.pipe(process.stderr);
  }

  async run(args: readonly string[]): Promise<Finished> {
    this.child.send({ args, cwd: this.cwd });
    const ended = new AbortController();
    const { signal } = ended;
    try {
      const [finished] = (await Promise.race([
        once(this.child, "message", { signal }),
        once(this.child, "exit", { signal }).then(([code]) => {
          throw new Error(`the process of the command ended with ${String(code)}: ${args.join(" ")}`);
        }),
      ])) as [Finished];
      return finished;
    } finally {
      ended.abort();
    }
  }

  end(): void {
    this.child.kill();
  }
}

export function finished(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let [out, err] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
