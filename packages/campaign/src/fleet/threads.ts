/**
 * The local fleet: threads of this machine. They run until the campaign ends, because starting a thread takes as long
 * as several flights.
 *
 * A thread that dies or hangs affects no other flight. Its flight is flown again in a new thread, which gets no other
 * flight until this one has a row. If the new thread dies too, the flight's row is `poisoned`.
 */
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { SimError } from "@escapement/core";
import { type FlightOrder, withoutFlight } from "../fly/one.ts";
import { campaignErrors } from "../spec/errors.ts";
import { DEFAULT_LIMITS, type FleetEvents, type FleetLimits, type LocalFleet } from "./contracts.ts";
import { type FromThread, errorFromPlain, type ThreadData, type ToThread } from "./messages.ts";
import { Pace } from "./pace.ts";
import { TimeLimit } from "./time-limit.ts";

interface ThreadFleetOptions {
  readonly threads: number;
  /** The module that a thread runs; it calls `serveFlights`. */
  readonly entry: URL;
  /** Node.js options for the thread, e.g. a loader for TypeScript. */
  readonly execArgv: readonly string[];
  readonly data: ThreadData;
  readonly limits?: Partial<FleetLimits>;
}

/**
 * Makes V8 compile the code of later threads on those threads, not on a helper thread. If a thread ends while a helper
 * compiles for it, Node.js 20 aborts the whole process (`NodePlatform::ForIsolate`, assertion `data.first`). The
 * throughput is the same, because each thread has a core.
 */
function compileOnOwnThread(): void {
  setFlagsFromString("--no-concurrent-recompilation");
}

export class ThreadFleet implements LocalFleet {
  readonly lanes: number;
  private readonly options: ThreadFleetOptions;
  private readonly limits: FleetLimits;
  private readonly events: FleetEvents;
  private readonly pace: Pace;
  private readonly waiting: FlightOrder[] = [];
  private readonly threads = new Set<FleetThread>();
  private isStarted = false;
  private isClosed = false;

  constructor(options: ThreadFleetOptions, events: FleetEvents) {
    this.options = options;
    this.events = events;
    this.lanes = options.threads;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.pace = new Pace(this.limits);
  }

  get depth(): number {
    return this.lanes * this.pace.ahead;
  }

  get flightMs(): number {
    return this.pace.medianMs;
  }

  give(orders: readonly FlightOrder[]): void {
    if (!this.isStarted) this.startAll();
    this.waiting.push(...orders);
    this.handOut();
  }

  async close(how: "finish" | "now"): Promise<void> {
    this.isClosed = true;
    const threads = [...this.threads];
    this.threads.clear();
    const failures = await Promise.all(threads.map((thread) => (how === "finish" ? thread.finish() : thread.end())));
    const failure = failures.find((error) => error !== undefined);
    if (failure !== undefined) throw failure;
  }

  /** Threads start at the first order, because a campaign whose rows are all in the cache needs no threads. */
  private startAll(): void {
    this.isStarted = true;
    compileOnOwnThread();
    for (let i = 0; i < this.lanes; i += 1) this.start();
  }

  private start(suspect?: FlightOrder): void {
    const thread = new FleetThread(this.options, this.limits, this.pace, {
      onFree: () => this.handOut(),
      onRow: (row, checkpoints) => this.events.onRow(row, checkpoints),
      onFailure: (error) => this.events.onFailure(error),
      onDeath: (reason) => this.replace(thread, reason),
      threadsFlying: () => [...this.threads].filter(({ load }) => load > 0).length,
    });
    this.threads.add(thread);
    if (suspect !== undefined) thread.flyAlone(suspect);
  }

  private handOut(): void {
    if (this.isClosed) return;
    const threads = [...this.threads].filter((thread) => !thread.fliesSuspect);
    while (threads.length > 0 && this.waiting.length > 0) {
      // Choose the thread with the fewest orders, so that no thread waits while another has many.
      const thread = threads.reduce((best, other) => (other.load < best.load ? other : best));
      if (thread.load >= this.pace.ahead) return;
      thread.fly(this.waiting.shift()!);
    }
  }

  private replace(thread: FleetThread, reason: string): void {
    this.threads.delete(thread);
    if (this.isClosed) return;
    const [flown, ...rest] = thread.orders;
    this.waiting.unshift(...rest);
    if (flown !== undefined && !thread.fliesSuspect) {
      this.events.onNote(`flight ${flown.k}: ${reason}; it is flown again, alone`);
      this.start(flown);
    } else {
      if (flown !== undefined) {
        this.events.onNote(`flight ${flown.k}: ${reason} again; its row is poisoned`);
        this.events.onRow(withoutFlight(flown.k, "poisoned", reason, []));
      }
      this.start();
    }
    this.handOut();
  }
}

interface ThreadEvents extends Pick<FleetEvents, "onRow" | "onFailure"> {
  onFree(): void;
  onDeath(reason: string): void;
  threadsFlying(): number;
}

/** One thread. It flies its orders first in, first out, so `orders[0]` is the one that it is flying. */
class FleetThread {
  readonly orders: FlightOrder[] = [];
  /** Whether the thread repeats a flight during which another thread died. */
  fliesSuspect = false;
  private readonly worker: Worker;
  private readonly pace: Pace;
  private readonly events: ThreadEvents;
  private isReady = false;
  private isOver = false;
  private startedMs = 0;
  private readonly limit: TimeLimit;
  private onFinished: (failure?: SimError) => void = () => {};

  constructor(options: ThreadFleetOptions, limits: FleetLimits, pace: Pace, events: ThreadEvents) {
    this.pace = pace;
    this.events = events;
    this.worker = new Worker(options.entry, {
      workerData: options.data,
      execArgv: [...options.execArgv],
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    });
    this.worker.on("message", (message: FromThread) => this.receive(message));
    this.worker.on("error", (error: NodeJS.ErrnoException) => this.die(reasonOfDeath(error)));
    this.worker.on("exit", () => this.die("its thread ended unexpectedly"));
    this.limit = new TimeLimit(
      () => events.threadsFlying(),
      () => {
        void this.worker.terminate();
        this.die("it took longer than the time limit");
      },
    );
    this.limit.begin(limits.startMs);
  }

  /** Number of orders that have no row yet. */
  get load(): number {
    return this.orders.length;
  }

  fly(order: FlightOrder): void {
    this.orders.push(order);
    if (this.orders.length === 1) this.begin();
    this.send({ kind: "fly", order });
  }

  flyAlone(order: FlightOrder): void {
    this.fliesSuspect = true;
    this.fly(order);
  }

  /**
   * Repeats the thread's first flight if it has flown enough flights, then ends it. Returns an error if the rows
   * differ.
   */
  async finish(): Promise<SimError | undefined> {
    if (!this.isReady || this.isOver) return this.end();
    const failure = await new Promise<SimError | undefined>((done) => {
      this.onFinished = done;
      this.begin();
      this.send({ kind: "finish" });
    });
    await this.end();
    return failure;
  }

  async end(): Promise<undefined> {
    this.isOver = true;
    this.limit.end();
    await this.worker.terminate();
    return undefined;
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromThread): void {
    if (this.isOver) return;
    this.limit.end();
    switch (message.kind) {
      case "ready":
        this.isReady = true;
        if (this.orders.length > 0) this.begin();
        return;
      case "row":
        this.pace.add(performance.now() - this.startedMs);
        this.orders.shift();
        this.fliesSuspect = false;
        if (this.orders.length > 0) this.begin();
        this.events.onRow(message.row, message.checkpoints);
        this.events.onFree();
        return;
      case "failed":
        if (this.isReady) this.onFinished(errorFromPlain(message.error));
        else this.events.onFailure(errorFromPlain(message.error));
        return;
      case "finished":
        this.onFinished();
    }
  }

  /** Starts the time limit of a flight, or of the repeated flight at the end. */
  private begin(): void {
    if (!this.isReady) return;
    this.startedMs = performance.now();
    this.limit.begin(this.pace.limitMs);
  }

  private die(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.limit.end();
    this.onFinished();
    if (this.isReady) {
      this.events.onDeath(reason);
      return;
    }
    this.events.onFailure(
      campaignErrors.notFlown({
        what: `a thread could not start: ${reason}`,
        fix: "try `escapement fly` with the same flight and modules, which reports more details",
      }),
    );
  }
}

function reasonOfDeath(error: NodeJS.ErrnoException): string {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return "its thread ran out of memory";
  return `its thread threw ${error.message.split("\n")[0]}`;
}
