/** Bundles the command once for all tests, like the release, and runs it as users do. */
import { type ChildProcess, fork, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
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
    return waitForEnd(this.start(args, options));
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

/** The process of the sessions, and the last run that was requested. All test files of one worker share them. */
let sessionProcess: ChildProcess | undefined;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the command many times in one process, one run after another, for tests that check its results and not the
 * process. Modules load only once.
 *
 * All sessions of a test worker use the same process: code that V8 has optimised during one test file is fast in the
 * next one. Each run gets the session's working directory and environment. The process ends with the worker.
 */
export class CommandSession {
  private readonly main: string;
  private readonly cwd: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor({ main }: BuiltCommand, cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.main = main;
    this.cwd = cwd;
    this.env = env;
  }

  run(args: readonly string[]): Promise<Finished> {
    const run = lastRun.then(() => this.send(args));
    lastRun = run.catch(() => {});
    return run;
  }

  private async send(args: readonly string[]): Promise<Finished> {
    const child = (sessionProcess ??= startSessionProcess());
    // Null stands for a variable that is not set, because messages drop undefined values.
    const env = Object.fromEntries(Object.entries(this.env).map(([name, value]) => [name, value ?? null]));
    child.send({ main: this.main, args, cwd: this.cwd, env });
    const ended = new AbortController();
    const { signal } = ended;
    child.channel?.ref();
    try {
      const [finished] = (await Promise.race([
        once(child, "message", { signal }),
        once(child, "exit", { signal }).then(([code]) => {
          sessionProcess = undefined;
          throw new Error(`the process of the command ended with ${String(code)}: ${args.join(" ")}`);
        }),
      ])) as [Finished];
      return finished;
    } finally {
      ended.abort();
      child.channel?.unref();
    }
  }
}

function startSessionProcess(): ChildProcess {
  const child = fork(new URL("./command-session.mjs", import.meta.url), {
    // Use pipes, so that the command prints no progress and no colours.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Leave out the loader of the tests, which would transform the bundle again in this process and in its threads.
    execArgv: [],
  });
  child.stderr!.pipe(process.stderr);
  // The worker waits for this process only during a run, not when its tests are done.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  return child;
}

export function waitForEnd(child: ChildProcess): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let [out, err] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
