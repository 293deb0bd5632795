/**
 * Finds stock PX4, starts it as a process in a fresh work folder, watches it, and ends it with the flight.
 *
 * PX4 leads its own process group, so Ctrl-C in a terminal reaches this program and not PX4. A signal to the group also
 * reaches programs that a user's start script has started. No other process is ever ended. PX4 freezes when the
 * simulator stops, because we supply its clock, so SIGTERM is followed by SIGKILL. If this program is killed, a guard
 * process ends PX4.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  accessSync,
  constants,
  copyFileSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { WriteStream } from "node:fs";
import { tmpdir } from "node:os";
import type { Socket } from "node:net";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, isFile, isFolder, valueOf } from "../places.ts";
import { onProcessEnd } from "../process-end.ts";
import { sitlErrors } from "./errors.ts";

export interface SitlProgram {
  readonly binary: string;
  /** Folder with PX4's start scripts. */
  readonly etc: string;
}

interface ProcessOptions {
  readonly program: SitlProgram;
  readonly instance: number;
  /** PX4's airframe (PX4_SIM_MODEL). */
  readonly model: string;
  /** Parameters set at boot, after those of the airframe. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Our port, to which PX4 opens a MAVLink link. */
  readonly linkPort: number;
  /** Folder for PX4's logs and files; by default a temporary folder. */
  readonly workFolder?: string;
  /** Called for every line that PX4 prints, without colours. */
  readonly onLine: (line: string) => void;
  /** Called once if the process ends without `stop`. */
  readonly onEnd: (what: string) => void;
}

const KEPT_LINES = 40;
const TERMINATE_MS = 500;
const POLL_MS = 20;
/**
 * Time limit for the last output of a process, which may arrive after the process has ended. A program that the process
 * started may keep the output open.
 */
const LAST_OUTPUT_MS = 200;
/** Time after which PX4 has checked whether another PX4 uses its instance number. */
const SETTLE_MS = 500;
const OUTPUT_FILE = "px4-output.txt";
/** PX4's start script runs its other scripts through PATH. This folder, first in PATH, contains our MAVLink script. */
const SCRIPT_FOLDER = "escapement-start";
const LINK_SCRIPT = "px4-rc.mavlink";
/** Local port of PX4's link to us, above those of PX4's own links. */
const FIRST_LOCAL_PORT = 14_640;
/** Messages whose values are logged. */
const FAST_STREAMS = ["POSITION_TARGET_LOCAL_NED", "ATTITUDE_TARGET", "LOCAL_POSITION_NED", "ATTITUDE_QUATERNION"];
/**
 * Shell command that waits until its input closes, which happens when this program ends, and then ends PX4's group.
 */
const GUARD = 'cat > /dev/null; kill -9 "-$1" 2> /dev/null; [ -z "$2" ] || rm -rf "$2"';
/** Files that PX4 keeps between starts: parameters and their backup, missions and fences. */
const KEPT_BY_PX4 = /^(parameters.*\.bson|dataman|eeprom)$/;

/** Finds the PX4 that the environment names, or throws a typed error that names the missing part. */
export function findSitl(env: Environment = process.env): SitlProgram {
  const named = valueOf(env, "PX4_SITL_BIN");
  if (named === undefined) {
    throw sitlErrors.notFound({
      what: "PX4_SITL_BIN is not set",
      fix: "set PX4_SITL_BIN to the px4 program of a px4_sitl_default build, e.g. …/build/px4_sitl_default/bin/px4",
    });
  }
  const binary = resolve(named);
  if (!isFile(binary) || !isRunnable(binary)) {
    throw sitlErrors.notFound({
      what: `PX4_SITL_BIN names ${binary}, which is not a ${isFile(binary) ? "program that may be run" : "file"}`,
      fix: "name the px4 program itself",
    });
  }
  const etc = resolve(valueOf(env, "PX4_SITL_ETC") ?? join(dirname(binary), "..", "etc"));
  if (!isFolder(join(etc, "init.d-posix"))) {
    throw sitlErrors.notFound({
      what: `${etc} contains no PX4 start scripts (init.d-posix)`,
      fix: "set PX4_SITL_ETC to the etc folder of the PX4 build",
    });
  }
  return { binary, etc };
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export class Px4Process {
  readonly workFolder: string;
  /** File that receives all of PX4's output. */
  readonly outputFile: string;
  /** Resolves when PX4 has run for a short time, or when it has ended and `onEnd` has been called. */
  readonly settled: Promise<unknown>;
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly output: WriteStream;
  private readonly isTemporary: boolean;
  private readonly onLine: (line: string) => void;
  private readonly ended: Promise<unknown>;
  private isStopping = false;
  private readonly cancelCleanup: () => void;
  private readonly guard: ChildProcess | undefined;

  constructor(options: ProcessOptions) {
    this.onLine = options.onLine;
    this.isTemporary = options.workFolder === undefined;
    this.workFolder = workFolderOf(options.workFolder);
    this.outputFile = join(this.workFolder, OUTPUT_FILE);
    this.output = createWriteStream(this.outputFile);
    const { binary, etc } = options.program;
    const scripts = join(this.workFolder, SCRIPT_FOLDER);
    writeLinkScript(scripts, etc, FIRST_LOCAL_PORT + options.instance, options.linkPort);
    this.child = spawn(binary, ["-d", "-i", String(options.instance), "-w", this.workFolder, etc], {
      cwd: this.workFolder,
      env: environmentOf(options, scripts),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.child.stdout?.on("data", (data: Buffer) => this.keepOutput(data));
    this.child.stderr?.on("data", (data: Buffer) => this.keepOutput(data));
    this.cancelCleanup = onProcessEnd(() => this.killNow());
    this.guard = this.startGuard();
    const { ended, reported } = this.watch(options.onEnd);
    this.ended = ended;
    this.settled = Promise.race([reported, sleep(SETTLE_MS, undefined, { ref: false })]);
  }

  /** Returns the last lines of PX4's output, without colour codes. */
  lastLines(count = 8): string {
    return this.lines.slice(-count).join(" | ");
  }

  /** True if PX4 ended because another PX4 runs with the same instance number. */
  get isInstanceTaken(): boolean {
    return this.lines.some((line) => /already running for instance/.test(line));
  }

  /** Ends PX4. Copies its log to `logFile`, and removes a temporary work folder unless `keepFolder` is set. */
  async stop(keepFolder = false, logFile?: string): Promise<void> {
    this.isStopping = true;
    this.signal("SIGTERM");
    for (let waitedMs = 0; waitedMs < TERMINATE_MS && this.isRunning(); waitedMs += POLL_MS) await sleep(POLL_MS);
    this.signal("SIGKILL");
    await this.ended;
    this.cancelCleanup();
    this.guard?.kill("SIGKILL");
    rmSync(join(this.workFolder, SCRIPT_FOLDER), { recursive: true, force: true });
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    await new Promise<void>((done) => this.output.end(() => done()));
    try {
      if (logFile !== undefined) copyLog(this.workFolder, logFile);
    } finally {
      if (this.isTemporary && !keepFolder) removeFolder(this.workFolder);
    }
  }

  /**
   * Watches the process. `ended` resolves when the process has ended. `reported` resolves later, when its last output
   * has arrived and `onEnd` has been called (it is not called after `stop`).
   */
  private watch(onEnd: (what: string) => void): { readonly ended: Promise<unknown>; readonly reported: Promise<void> } {
    const { child } = this;
    const outputClosed = new Promise<void>((done) => child.once("close", () => done()));
    const ended = new Promise<string>((done) => {
      child.once("error", (cause) => done(`could not be started (${cause.message})`));
      child.once("exit", (code, signal) =>
        done(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
      );
    });
    const reported = ended.then(async (what) => {
      await Promise.race([outputClosed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
      if (!this.isStopping) onEnd(what);
    });
    return { ended, reported };
  }

  /** Starts the guard in its own process group, so that Ctrl-C in a terminal does not end it. */
  private startGuard(): ChildProcess | undefined {
    const { pid } = this.child;
    if (pid === undefined) return undefined;
    const guard = spawn("/bin/sh", ["-c", GUARD, "sh", String(pid), this.isTemporary ? this.workFolder : ""], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    // Ignore the error: without a shell, PX4 could not have been started.
    guard.on("error", () => {});
    guard.unref();
    (guard.stdin as Socket | null)?.unref();
    return guard;
  }

  private killNow(): void {
    this.guard?.kill("SIGKILL");
    this.signal("SIGKILL");
    if (this.isTemporary) removeFolder(this.workFolder);
  }

  /** Sends a signal to PX4 and to every process in its group. */
  private signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.child;
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  private isRunning(): boolean {
    return this.signal(0);
  }

  private keepOutput(data: Buffer): void {
    if (!this.output.writableEnded) this.output.write(data);
    // eslint-disable-next-line no-control-regex
    const text = data.toString("utf8").replace(/\u001B\[[0-9;]*m/g, "");
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    for (const line of lines) this.onLine(line);
    this.lines.push(...lines);
    this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
  }
}

/**
 * Creates the work folder, and deletes PX4's files of an earlier flight, which would affect this flight. Returns an
 * absolute path, because PX4 runs in that folder.
 */
function workFolderOf(named: string | undefined): string {
  if (named === undefined) return mkdtempSync(join(tmpdir(), "escapement-px4-"));
  const folder = resolve(named);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw sitlErrors.badOption({
      what: `the work folder ${folder} cannot be created (${(cause as NodeJS.ErrnoException).code})`,
      fix: "name a writable folder",
      cause,
    });
  }
  for (const name of readdirSync(folder)) if (KEPT_BY_PX4.test(name)) rmSync(join(folder, name), { force: true });
  return folder;
}

/** Copies PX4's last log. PX4 writes one log per flight, into a folder per day: `log/2026-01-31/12_30_00.ulg`. */
function copyLog(folder: string, file: string): void {
  const logs = join(folder, "log");
  const names = isFolder(logs) ? readdirSync(logs, { recursive: true, encoding: "utf8" }) : [];
  const last = names
    .filter((name) => name.endsWith(".ulg"))
    .sort()
    .at(-1);
  if (last === undefined) {
    throw sitlErrors.noLog({
      what: "PX4 wrote no log",
      fix: "check SDLOG_MODE; by default PX4 logs from arming until disarming",
    });
  }
  copyFileSync(join(logs, last), file);
}

/** Removes a folder. Retries, because PX4 may still be writing its last file. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {
    // A leftover temporary folder does no harm.
  }
}

/** Writes a script that starts PX4's own links and one to our port, so that ports 14540 + n and 14550 stay free. */
function writeLinkScript(folder: string, etc: string, localPort: number, ourPort: number): void {
  mkdirSync(folder, { recursive: true });
  const lines = [
    `. "${join(etc, "init.d-posix", LINK_SCRIPT)}"`,
    `mavlink start -x -u ${localPort} -r 4000000 -f -m onboard -o ${ourPort}`,
    ...FAST_STREAMS.map((name) => `mavlink stream -r 50 -s ${name} -u ${localPort}`),
  ];
  writeFileSync(join(folder, LINK_SCRIPT), `${lines.join("\n")}\n`);
}

/**
 * Returns PX4's environment: ours without PX4_* variables, so that variables left in the user's shell have no effect.
 */
function environmentOf(options: ProcessOptions, scripts: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith("PX4_")) env[name] = value;
  env.PATH = `${scripts}${delimiter}${env.PATH ?? ""}`;
  env.PX4_SIM_MODEL = options.model;
  env.PX4_SIM_HOST_ADDR = "127.0.0.1";
  for (const [name, value] of Object.entries(options.parameters)) env[`PX4_PARAM_${name}`] = String(value);
  return env;
}
