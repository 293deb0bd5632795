/**
 * Implements the simulator's side of PX4's lockstep link: a TCP server on this machine only, and a state machine.
 *
 * LISTEN: until PX4 connects. FREEWHEEL: while PX4 boots, steps are sent at a slow pace without waiting for answers.
 * LOCKED: from the first actuator message on, one answer per step. LOST: for a short time after PX4 has closed the
 * connection, so that the supervisor of its process can report the cause. Every wait has a wall-clock limit. Every
 * deviation is counted or becomes a typed error. This class computes no simulated value.
 */
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { SimError } from "@escapement/core";
import { MESSAGES } from "../mavlink/dialect.ts";
import type { FrameWriter } from "../mavlink/frame.ts";
import { ActuatorControls } from "../mavlink/hil.ts";
import { FrameParser } from "../mavlink/parser.ts";
import type { Frame } from "../mavlink/parser.ts";
import { sitlErrors } from "./errors.ts";
import { checkLimits, DEFAULT_LIMITS, MissedFraction } from "./port-limits.ts";
import type { PortLimits } from "./port-limits.ts";

export const FIRST_PORT = 4560;
/** Time to wait after PX4 closes the connection, because the last output of an ending process arrives later. */
const LOST_MS = 600;

/** Wall-clock time given to a step for which no answer is expected. */
const QUIET_MS = 1;

export interface PortStats {
  /** Steps sent. */
  frames: number;
  /** Steps sent before lockstep began. */
  freewheelFrames: number;
  /** Answers that did not arrive in time. */
  missed: number;
  /** Steps without a gyroscope sample, which PX4 does not answer. */
  quiet: number;
  /** Answers to earlier steps, discarded. */
  late: number;
  /** Second answers to the same step, discarded. */
  doubled: number;
  /** Answers with a time that was never sent. */
  strange: number;
  /** Connections from other programs, which were rejected. */
  intruders: number;
  roundTripMeanMs: number;
  roundTripMaxMs: number;
}

type PortState = "listen" | "freewheel" | "locked" | "lost" | "closed";
type Wait = "connection" | "pace" | "reply" | "quiet" | "reason" | "nothing";

export class SimulatorPort {
  readonly controls = new ActuatorControls();
  readonly stats: PortStats = {
    frames: 0,
    freewheelFrames: 0,
    missed: 0,
    quiet: 0,
    late: 0,
    doubled: 0,
    strange: 0,
    intruders: 0,
    roundTripMeanMs: 0,
    roundTripMaxMs: 0,
  };
  readonly parser: FrameParser;
  state: PortState = "listen";
  /** The error that ended the flight, if any. */
  failure: SimError | undefined;

  private readonly port: number;
  private readonly limits: PortLimits;
  private readonly server: Server;
  private socket: Socket | undefined;
  private batch: FrameWriter | undefined;
  private wait: Wait = "nothing";
  /** `[time of the current step, time of the last answered step]`, µs of PX4's clock. */
  private readonly times = new Float64Array([0, -1]);
  private missesInARow = 0;
  private readonly misses = new MissedFraction();
  private areWaitsCancelled = false;
  private expectsAnswer = true;
  private answered = 0;
  private sentAtMs = 0;
  private connectedAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerMs = -1;
  private readonly resolvers: (() => void)[] = [];

  constructor(options: { instance: number; port?: number; limits?: Partial<PortLimits> }) {
    this.port = options.port ?? FIRST_PORT + options.instance;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    checkLimits(this.limits);
    this.parser = new FrameParser(MESSAGES, (frame) => this.onFrame(frame));
    this.server = createServer((socket) => this.onConnection(socket));
  }

  /** Starts listening; resolves with the port. */
  open(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once("error", (cause) => {
        reject(
          sitlErrors.portTaken({
            what: `TCP port ${this.port} cannot be opened on 127.0.0.1 (${(cause as NodeJS.ErrnoException).code})`,
            fix: "choose another instance, or end the simulator that uses the port",
            cause,
          }),
        );
      });
      this.server.listen(this.port, "127.0.0.1", () => {
        const address = this.server.address();
        resolve(typeof address === "object" && address !== null ? address.port : this.port);
      });
    });
  }

  /** True while a step is in progress. */
  get waiting(): boolean {
    return this.wait !== "nothing" && this.failure === undefined;
  }

  /** Resolves when PX4 has connected or the attempt has failed. */
  untilConnected(): Promise<void> {
    if (this.state === "listen" && this.failure === undefined) this.awaitConnection();
    return this.until();
  }

  /** Resolves when the current step is over, or immediately if there is none. */
  until(): Promise<void> {
    if (!this.waiting) return Promise.resolve();
    return new Promise((resolve) => this.resolvers.push(resolve));
  }

  /**
   * Sends a step. If PX4 has not connected yet, the batch is sent later, so do not change it while `waiting` is true.
   * Without `expectsAnswer`, a missing answer is not a miss.
   */
  step(timeUs: number, batch: FrameWriter, expectsAnswer = true): void {
    this.times[0] = timeUs;
    this.expectsAnswer = expectsAnswer;
    this.batch = batch;
    if (this.failure !== undefined) return;
    if (this.state === "listen") this.awaitConnection();
    else if (this.state === "lost") this.awaitReason();
    else this.send();
  }

  /** Ends the flight with an error from outside this link, e.g. that PX4's process has ended. */
  fail(error: SimError): void {
    if (this.state !== "closed") this.failure ??= error;
    this.finish();
  }

  /** Ends the current wait and shortens all later waits, because the flight was cancelled. */
  cancelWaits(): void {
    this.areWaitsCancelled = true;
    if (this.wait === "reply") this.finish();
  }

  async close(): Promise<void> {
    this.state = "closed";
    clearTimeout(this.timer);
    this.socket?.destroy();
    this.finish();
    if (!this.server.listening) return;
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private awaitConnection(): void {
    this.wait = "connection";
    this.setTimer(this.limits.connectMs);
  }

  private awaitReason(): void {
    this.wait = "reason";
    this.setTimer(LOST_MS);
  }

  private send(): void {
    const { stats, socket, batch } = this;
    stats.frames += 1;
    this.sentAtMs = performance.now();
    // Send a copy, because the socket may still hold unsent bytes while the next batch is being written.
    if (socket !== undefined && batch !== undefined) socket.write(batch.window().slice());
    if (this.state === "locked") {
      this.wait = this.expectsAnswer && !this.areWaitsCancelled ? "reply" : "quiet";
      if (this.wait === "quiet") this.setTimer(QUIET_MS);
      else if (!this.limits.unlimited) this.setTimer(this.limits.replyMs);
      return;
    }
    stats.freewheelFrames += 1;
    this.wait = "pace";
    this.setTimer(this.limits.paceMs);
  }

  private onConnection(socket: Socket): void {
    // This also rejects a PX4 that was restarted, because it has no state of the current flight.
    if (this.socket !== undefined || this.state !== "listen") {
      this.stats.intruders += 1;
      socket.destroy();
      return;
    }
    this.socket = socket;
    this.connectedAtMs = performance.now();
    this.state = "freewheel";
    this.parser.reset();
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.parser.push(chunk));
    // The `close` event always follows an error and handles it.
    socket.on("error", () => {});
    socket.on("close", () => this.onClose(socket));
    if (this.wait !== "connection") return;
    if (this.batch === undefined) this.finish();
    else this.send();
  }

  private onClose(socket: Socket): void {
    if (socket !== this.socket) return;
    this.socket = undefined;
    if (this.state === "freewheel") {
      // PX4 was still booting and may reconnect.
      this.state = "listen";
      if (this.wait !== "nothing") this.awaitConnection();
    } else if (this.state === "locked") {
      this.state = "lost";
      if (this.wait !== "nothing") this.awaitReason();
    }
  }

  private onFrame(frame: Frame): void {
    if (!this.controls.read(frame)) return;
    const { times, stats } = this;
    const replyUs = this.controls.timeUs[0]!;
    if (!this.controls.lockstep) {
      this.fail(
        sitlErrors.notLockstep({
          what: "PX4 answers without the lockstep flag",
          fix: "use a px4_sitl_default build of PX4",
        }),
      );
    } else if (this.state === "freewheel") {
      this.state = "locked";
      times[1] = replyUs;
      if (this.wait === "pace") this.finish();
    } else if (replyUs === times[1]) stats.doubled += 1;
    else if (replyUs < times[0]!) stats.late += 1;
    else if (replyUs > times[0]!) stats.strange += 1;
    else if (this.wait === "reply" || this.wait === "quiet") this.acceptReply();
  }

  private acceptReply(): void {
    const { stats } = this;
    const roundTripMs = performance.now() - this.sentAtMs;
    this.answered += 1;
    stats.roundTripMeanMs += (roundTripMs - stats.roundTripMeanMs) / this.answered;
    if (roundTripMs > stats.roundTripMaxMs) stats.roundTripMaxMs = roundTripMs;
    this.times[1] = this.times[0]!;
    this.missesInARow = 0;
    this.misses.add(false);
    this.finish();
  }

  private onTimer(): void {
    if (this.wait === "connection") {
      if (this.limits.unlimited) return;
      this.fail(
        sitlErrors.noConnection({
          what: `PX4 did not connect to port ${this.port} within ${this.limits.connectMs / 1000} s`,
          fix: "start it with PX4_SIM_MODEL=none_iris and the right instance, and look at its output",
        }),
      );
    } else if (this.wait === "pace") this.onPace();
    else if (this.wait === "quiet") {
      this.stats.quiet += 1;
      this.finish();
    } else if (this.wait === "reply" && !this.limits.unlimited) this.missAfterNextTurn();
    else if (this.wait === "reason") {
      this.fail(
        sitlErrors.died({
          what: `PX4 closed the connection at ${this.times[0]! / 1e6} s of its clock`,
          fix: "see PX4's last output",
        }),
      );
    }
  }

  /**
   * Counts a miss, but only after one more turn of the event loop. The event loop runs timers before sockets, so if
   * this process was busy, the answer may have arrived but not been read.
   */
  private missAfterNextTurn(): void {
    const stepUs = this.times[0];
    setImmediate(() => {
      if (this.wait === "reply" && this.times[0] === stepUs) this.onMiss();
    });
  }

  private onPace(): void {
    const waitedMs = performance.now() - this.connectedAtMs;
    if (waitedMs > this.limits.freewheelMs && !this.limits.unlimited) {
      this.fail(
        sitlErrors.noActuators({
          what: `PX4 sent no actuator command within ${this.limits.freewheelMs / 1000} s and ${this.stats.freewheelFrames} steps`,
          fix: "check that its airframe assigns motor outputs (PWM_MAIN_FUNC1 = 101 …)",
        }),
      );
    } else this.finish();
  }

  private onMiss(): void {
    const { stats, limits } = this;
    // In lockstep PX4 sends nothing more for this step. Bytes that look like the start of a frame may hide the answer,
    // so search again after them.
    this.parser.discardUnfinished();
    if (!this.waiting) return;
    stats.missed += 1;
    this.missesInARow += 1;
    this.misses.add(true);
    const at = `the step at ${this.times[0]! / 1e6} s of its clock`;
    if (limits.strict) {
      this.fail(
        sitlErrors.missedReply({
          what: `PX4 did not answer ${at} within ${limits.replyMs} ms`,
          fix: "reduce the load of the machine, allow more time, or fly without strict lockstep",
        }),
      );
    } else if (this.missesInARow >= limits.missesInARow) {
      this.fail(
        sitlErrors.silent({
          what: `PX4 did not answer ${this.missesInARow} consecutive steps, the last of which is ${at}`,
          fix: "see PX4's last output",
        }),
      );
    } else if (this.misses.isAtLeast(limits.missedShare)) {
      this.fail(
        sitlErrors.manyMissed({
          what: `PX4 did not answer ${this.misses.text}, the last of which is ${at}`,
          fix: "reduce the load of the machine, or allow more misses",
        }),
      );
    } else this.finish();
  }

  private finish(): void {
    this.wait = "nothing";
    for (const resolve of this.resolvers.splice(0)) resolve();
  }

  /** Reuses one timer, so that a step allocates nothing. A timer that fires when nothing waits is ignored. */
  private setTimer(ms: number): void {
    if (this.timer !== undefined && this.timerMs === ms) {
      this.timer.refresh();
      return;
    }
    clearTimeout(this.timer);
    this.timerMs = ms;
    this.timer = setTimeout(() => this.onTimer(), ms);
  }
}
