/**
 * Flies with the PX4 library in a child process and supervises that process.
 *
 * PX4's parameters, messages and clock outlive a flight, so each process flies only once. The parent sends the resolved
 * flight, receives progress, and kills a child that hangs. A hang at the start is a deadlock in the library, and the
 * error names its cause. PX4's output is passed to `onOutput` and is never mixed with ours.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { invariant, SimError } from "@escapement/core";
import type { Recording, ReplayResult, ResolvedFlight } from "@escapement/core";
import { onProcessEnd } from "../process-end.ts";
import { reviveError } from "./child-protocol.ts";
import type {
  ChildFlight,
  ChildStage,
  FlyMessage,
  FromChild,
  NamedMeasure,
  RecordedChildFlight,
  ReplayMessage,
  ReplayOptions,
  SentFlight,
  SinkModule,
  ToChild,
} from "./child-protocol.ts";
import { lockstepErrors } from "./errors.ts";
import type { Environment } from "../places.ts";

/** Options of a flight with the PX4 library. */
export interface FlyLockstepOptions {
  /** Opens sinks inside the child. */
  readonly sinks?: SinkModule;
  /** If false, use the equations as written, without code generated for the vehicle. The results are bit-identical. */
  readonly codegen?: boolean;
  /** If false, the flight is not recorded and is faster. */
  readonly record?: boolean;
  /** Measures to compute; `result.measures` has their values. */
  readonly measures?: readonly NamedMeasure[];
  readonly onProgress?: (tUs: number) => void;
  /** Called before a flight ends with an error, if the child can still report the part that was flown. */
  readonly onBrokenOff?: (flight: ChildFlight) => void;
  /** Called with each line that PX4 prints. */
  readonly onOutput?: (line: string) => void;
  /**
   * Ends the flight at its next pause and leaves its files readable. A flight that has not begun ends immediately
   * (LOCKSTEP-014).
   */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ChildLimits>;
  /** Environment of the child; defaults to the environment of this process. */
  readonly env?: Environment;
}

interface ChildLimits {
  /** Time limit for loading modules. */
  readonly loadMs: number;
  /** Time limit for starting the library. */
  readonly createMs: number;
  /** Maximum time between two messages of a flying child. */
  readonly silentMs: number;
  /** Time limit for ending after a stop request. */
  readonly stopMs: number;
}

const DEFAULT_LIMITS: ChildLimits = { loadMs: 60_000, createMs: 10_000, silentMs: 30_000, stopMs: 5_000 };
/** Signals with which a user or a terminal ends a command. */
const STOP_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);
const KEPT_LINES = 20;
const KEPT_WARNINGS = 50;
/** A warning or an error in PX4's output, with or without colours. */
// eslint-disable-next-line no-control-regex
const WARNING = /^(?:\u001B\[[0-9;]*m)*(?:WARN|ERROR) +(\[.*?)(?:\u001B\[[0-9;]*m)*$/;
/** A harmless warning: the library requests a parameter that PX4 no longer has. */
const HARMLESS = /SYS_CTRL_ALLOC/;
/** A warning that gives the reason why PX4 rejected a mission. */
const REASON = /rejected|geofence/i;
/** In development the child runs from the sources, which need a loader; otherwise it runs from compiled files. */
const isSource = import.meta.url.endsWith(".ts");
export const WORKER = new URL(isSource ? "./worker.ts" : "./worker.js", import.meta.url);
const LOADER = isSource ? ["--conditions=source", "--import", "tsx"] : [];

/** Flies a resolved flight with the PX4 library in a child process. */
export function flyLockstep(
  resolved: ResolvedFlight,
  options?: FlyLockstepOptions & { readonly record?: true },
): Promise<RecordedChildFlight>;
export function flyLockstep(resolved: ResolvedFlight, options?: FlyLockstepOptions): Promise<ChildFlight>;
export async function flyLockstep(
  resolved: ResolvedFlight,
  { sinks, codegen = true, record = true, measures = [], onBrokenOff, ...options }: FlyLockstepOptions = {},
): Promise<ChildFlight> {
  // Send only the texts, because a parsed measure is larger and depends on the version.
  const texts = measures.map(({ name, text }) => ({ name, text }));
  const task: FlyMessage = {
    kind: "fly",
    resolved,
    codegen,
    record,
    measures: texts,
    ...(sinks === undefined ? {} : { sinks }),
  };
  const complete = (flight: SentFlight, warnings: readonly string[]) => ({ ...flight, resolved, warnings });
  const { message, warnings } = await runChild(task, {
    ...options,
    onPart: (flight, printed) => onBrokenOff?.(complete(flight, printed)),
  });
  invariant(message.kind === "done", "a flight ends with its result");
  return complete(message.flight, warnings);
}

/** Replays a recording in a child process, so that the PX4 library can run live in it. */
export async function replayLockstep(
  recording: Recording,
  options: ReplayOptions,
  env: Environment = process.env,
): Promise<ReplayResult> {
  // A replay sends no progress, so its time limit grows with the length of the flight.
  const limits = { silentMs: DEFAULT_LIMITS.silentMs + recording.endUs / 1000 };
  const { message } = await runChild({ kind: "replay", recording, options }, { limits, env });
  invariant(message.kind === "replayed", "a replay ends with its result");
  return message.result;
}

type Task = FlyMessage | ReplayMessage;

interface SupervisorOptions extends Pick<FlyLockstepOptions, "onProgress" | "onOutput" | "signal" | "limits" | "env"> {
  /** Called with the part that was flown before an error. */
  readonly onPart?: (flight: SentFlight, warnings: readonly string[]) => void;
}

interface ChildResult {
  readonly message: Extract<FromChild, { kind: "done" | "replayed" }>;
  /** PX4's warnings and errors, once each. */
  readonly warnings: readonly string[];
}

function runChild(task: Task, options: SupervisorOptions): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const child = fork(WORKER, {
      execArgv: LOADER,
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: options.env ?? process.env,
    });
    new ChildSupervisor(child, options, resolve, reject).begin(task);
  });
}

/** Supervises one child from start to end, and settles the promise once. */
class ChildSupervisor {
  private readonly child: ChildProcess;
  private readonly options: SupervisorOptions;
  private readonly limits: ChildLimits;
  private readonly resolve: (result: ChildResult) => void;
  private readonly reject: (error: Error) => void;
  private readonly lines: string[] = [];
  /** PX4's warnings and errors, once each. */
  private readonly warnings: string[] = [];
  /** The error that the child reported. */
  private failure: Error | undefined;
  private stage: ChildStage | "stopping" = "loading";
  private timer: NodeJS.Timeout | undefined;
  private isSettled = false;
  private readonly onAbort = (): void => this.stop();
  private cancelCleanup: () => void = () => {};

  constructor(
    child: ChildProcess,
    options: SupervisorOptions,
    resolve: (result: ChildResult) => void,
    reject: (error: Error) => void,
  ) {
    this.child = child;
    this.options = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.resolve = resolve;
    this.reject = reject;
  }

  begin(task: Task): void {
    const { child, options } = this;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => this.keepOutput(data));
    child.on("message", (message) => this.receive(message as FromChild));
    child.on("error", (cause) => this.fail(this.deathError(`could not be started (${cause.message})`)));
    child.on("close", (code, signal) => this.onClose(code, signal));
    this.cancelCleanup = onProcessEnd(() => void child.kill("SIGKILL"));
    options.signal?.addEventListener("abort", this.onAbort, { once: true });
    this.restartTimer(this.limits.loadMs);
    this.send(task);
    if (options.signal?.aborted === true) this.stop();
  }

  private send(message: ToChild): void {
    // Ignore send errors, because the exit event of the child reports its death.
    this.child.send(message, () => {});
  }

  private onClose(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.failure !== undefined) this.fail(this.withReason(this.failure));
    // Ctrl-C in a terminal reaches the child too, which ignores it only after it has loaded its modules.
    else if (this.stage === "loading" && signal !== null && STOP_SIGNALS.has(signal)) this.stop();
    else this.fail(this.deathError(signal === null ? `ended with code ${code}` : `was ended by ${signal}`));
  }

  private stop(): void {
    if (this.stage !== "flying") {
      this.fail(
        lockstepErrors.stopped({
          what: "the flight was cancelled before the PX4 library had started",
          fix: "fly again",
        }),
      );
      return;
    }
    this.stage = "stopping";
    this.send({ kind: "stop" });
    this.restartTimer(this.limits.stopMs);
  }

  private receive(message: FromChild): void {
    switch (message.kind) {
      case "stage":
        if (this.stage !== "stopping") this.stage = message.stage;
        this.restartTimer(message.stage === "creating" ? this.limits.createMs : this.limits.silentMs);
        return;
      case "progress":
        if (this.stage !== "stopping") this.restartTimer(this.limits.silentMs);
        this.options.onProgress?.(message.tUs);
        return;
      case "done":
      case "replayed":
        this.settle(() => this.resolve({ message, warnings: this.warnings }));
        return;
      case "failed":
        if (message.flight !== undefined) this.options.onPart?.(message.flight, this.warnings);
        // PX4's reason may still be in its output, which arrives before the child ends.
        this.failure = reviveError(message.error);
        this.restartTimer(this.limits.stopMs);
    }
  }

  private restartTimer(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail(this.failure ?? this.hangError(ms)), ms);
  }

  /** Adds PX4's reason to the error about a mission that it rejected. */
  private withReason(error: Error): Error {
    if (!(error instanceof SimError) || error.code !== lockstepErrors.missionRejected.code) return error;
    const reasons = this.warnings.filter((line) => REASON.test(line));
    const what = reasons.length === 0 ? error.what : `${error.what}: ${reasons.join(" | ")}`;
    return lockstepErrors.missionRejected({ what, where: error.where, fix: error.fix });
  }

  private hangError(ms: number): SimError {
    const isCreating = this.stage === "creating";
    return lockstepErrors.childHangs({
      what: isCreating
        ? `the PX4 library did not start within ${ms / 1000} s; on Linux its parameter autosave deadlocks unless it is switched off before a parameter changes${this.lastLines()}`
        : `the process that flies PX4 did not respond for ${ms / 1000} s while ${this.stage}${this.lastLines()}`,
      fix: isCreating
        ? "use a library that exports param_control_autosave, or that calls it immediately after its parameter initialisation"
        : "look at PX4's output, and fly again",
    });
  }

  private deathError(how: string): SimError {
    return lockstepErrors.childDied({
      what: `the process that flew PX4 ${how} while ${this.stage}${this.lastLines()}`,
      fix: "look at PX4's output; a crash inside the library ends only its own process",
    });
  }

  private lastLines(): string {
    return this.lines.length === 0 ? "" : `; its last lines: ${this.lines.slice(-4).join(" | ")}`;
  }

  private keepOutput(data: Buffer): void {
    const lines = data
      .toString("utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    this.lines.push(...lines);
    for (const line of lines) {
      const text = WARNING.exec(line)?.[1];
      if (text === undefined || HARMLESS.test(text) || this.warnings.includes(text)) continue;
      if (this.warnings.length < KEPT_WARNINGS) this.warnings.push(text);
    }
    this.lines.splice(0, Math.max(0, this.lines.length - KEPT_LINES));
    for (const line of lines) this.options.onOutput?.(line);
  }

  private fail(error: Error): void {
    this.settle(() => this.reject(error));
  }

  private settle(then: () => void): void {
    if (this.isSettled) return;
    this.isSettled = true;
    clearTimeout(this.timer);
    this.cancelCleanup();
    this.options.signal?.removeEventListener("abort", this.onAbort);
    this.child.kill("SIGKILL");
    then();
  }
}
