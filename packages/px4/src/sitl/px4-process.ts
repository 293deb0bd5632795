/**
 * A stock PX4 process of our own: found, started in a fresh work folder, watched, and ended with the flight.
 *
 * Only the process started here is ever ended, by its handle. PX4 freezes when the simulator stops (its clock is ours),
 * so a polite signal is followed by a firm one.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import type { WriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { sitlErrors } from "./errors.ts";

export interface SitlProgram {
  readonly binary: string;
  /** Folder with PX4's start scripts. */
  readonly etc: string;
}

export interface ProcessOptions {
  readonly program: SitlProgram;
  readonly instance: number;
  /** Parameters set at boot, after those of the airframe. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly model?: string;
  /** Where PX4 keeps its logs and files; a temporary folder, removed at the end, when absent. */
  readonly workFolder?: string;
  /** Called once, when the process has ended by itself. */
  readonly onEnd: (what: string) => void;
}

const KEPT_LINES = 40;
const POLITE_MS = 500;
export const DEFAULT_MODEL = "none_iris";

/** The PX4 that the environment names; a typed error says what is missing. */
export function findSitl(env: NodeJS.ProcessEnv = process.env): SitlProgram {
  const named = env.PX4_SITL_BIN;
  if (named === undefined || named === "") {
    throw sitlErrors.notFound({
      what: "PX4_SITL_BIN is not set",
      fix: "set it to the px4 program of a px4_sitl_default build, e.g. …/build/px4_sitl_default/bin/px4",
    });
  }
  const binary = resolve(named);
  if (!existsSync(binary) || !statSync(binary).isFile()) {
    throw sitlErrors.notFound({
      what: `PX4_SITL_BIN names ${binary}, which is not a file`,
      fix: "name the px4 program itself",
    });
  }
  const etc = resolve(env.PX4_SITL_ETC ?? join(dirname(binary), "..", "etc"));
  if (!existsSync(join(etc, "init.d-posix"))) {
    throw sitlErrors.notFound({
      what: `${etc} holds no PX4 start scripts (init.d-posix)`,
      fix: "set PX4_SITL_ETC to the etc folder of the PX4 build",
    });
  }
  return { binary, etc };
}

export class Px4Process {
  readonly workFolder: string;
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly output: WriteStream;
  private readonly isTemporary: boolean;
  private readonly ended: Promise<void>;
  private isStopping = false;
  private hasEnded = false;
  private readonly endWithUs = (): void => void this.child.kill("SIGKILL");

  constructor(options: ProcessOptions) {
    this.isTemporary = options.workFolder === undefined;
    this.workFolder = options.workFolder ?? mkdtempSync(join(tmpdir(), "escapement-px4-"));
    mkdirSync(this.workFolder, { recursive: true });
    this.output = createWriteStream(join(this.workFolder, "px4-output.txt"));
    const { binary, etc } = options.program;
    this.child = spawn(binary, ["-d", "-i", String(options.instance), "-w", this.workFolder, etc], {
      cwd: this.workFolder,
      env: environmentOf(options),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (data: Buffer) => this.keep(data));
    this.child.stderr?.on("data", (data: Buffer) => this.keep(data));
    process.once("exit", this.endWithUs);
    this.ended = new Promise((done) => {
      const end = (what: string): void => {
        if (this.hasEnded) return;
        this.hasEnded = true;
        process.removeListener("exit", this.endWithUs);
        done();
        if (!this.isStopping) options.onEnd(what);
      };
      this.child.once("error", (cause) => end(`could not be started (${cause.message})`));
      this.child.once("close", (code, signal) =>
        end(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  /** The last lines PX4 wrote, without colours. */
  lastLines(count = 8): string {
    return this.lines.slice(-count).join(" | ");
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    if (!this.hasEnded) {
      this.child.kill("SIGTERM");
      const firm = setTimeout(() => this.child.kill("SIGKILL"), POLITE_MS);
      await this.ended;
      clearTimeout(firm);
    }
    await new Promise<void>((done) => this.output.end(() => done()));
    if (this.isTemporary) rmSync(this.workFolder, { recursive: true, force: true });
  }

  private keep(data: Buffer): void {
    this.output.write(data);
    // eslint-disable-next-line no-control-regex
    const text = data.toString("utf8").replace(/\u001B\[[0-9;]*m/g, "");
    this.lines.push(
      ...text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    );
    this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
  }
}

/** PX4's environment: ours without any other PX4 setting, so that a shell's leftovers change nothing. */
function environmentOf(options: ProcessOptions): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith("PX4_")) env[name] = value;
  env.PX4_SIM_MODEL = options.model ?? DEFAULT_MODEL;
  env.PX4_SIM_HOST_ADDR = "127.0.0.1";
  for (const [name, value] of Object.entries(options.parameters)) env[`PX4_PARAM_${name}`] = String(value);
  return env;
}
