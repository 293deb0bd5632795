/**
 * The page's connection to a worker: sends messages, matches answers to questions, and replaces a crashed worker.
 *
 * After a crash, the owner of the connection sends the texts of its flights again. Flights are deterministic, so the
 * new worker gets the same rows.
 */
import type { FromWorker, PlainError, ToWorker } from "../protocol.ts";

/** A worker, or its replacement in tests. */
export interface WorkerPort {
  post(message: ToWorker): void;
  /** `onCrash` is called if the worker crashes or a message cannot be read. */
  listen(onMessage: (message: FromWorker) => void, onCrash: (reason: string) => void): void;
  terminate(): void;
}

/** Thrown by `ask` if the worker rejects the question. */
export class Rejection extends Error {
  override readonly name = "Rejection";
  readonly errors: readonly PlainError[];

  constructor(errors: readonly PlainError[]) {
    super(errors.map(({ what }) => what).join("; "));
    this.errors = errors;
  }
}

type Kind = FromWorker["is"];
type Answer<K extends Kind> = Extract<FromWorker, { readonly is: K }>;
type Question = Extract<ToWorker, { readonly seq: number }>;
/** A question without its number. */
type Unnumbered<Q> = Q extends unknown ? Omit<Q, "seq"> : never;

type OnProgress = (progress: Extract<FromWorker, { readonly is: "progress" }>) => void;

interface Waiting {
  readonly resolve: (answer: FromWorker | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: OnProgress | undefined;
}

interface ConnectionOptions {
  readonly start: () => WorkerPort;
  /** Receives every message that is not the answer to a question. */
  readonly onMessage: (message: FromWorker) => void;
  /** Called when a crashed worker has been replaced. */
  readonly onRestart: (reason: string) => void;
}

export class Connection {
  private readonly options: ConnectionOptions;
  private port: WorkerPort | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private seq = 0;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  send(message: ToWorker): void {
    this.connectedPort().post(message);
  }

  /**
   * Asks a question. Returns undefined if a newer question replaced it or the worker crashed. Throws a `Rejection`.
   * `_answer` serves only to infer the type of the answer.
   */
  ask<K extends Kind>(
    _answer: K,
    question: Unnumbered<Question>,
    onProgress?: OnProgress,
  ): Promise<Answer<K> | undefined> {
    this.seq += 1;
    const { seq } = this;
    const answered = new Promise<FromWorker | undefined>((resolve, reject) => {
      this.waiting.set(seq, { resolve, reject, onProgress });
    });
    this.send({ ...question, seq } as Question);
    return answered as Promise<Answer<K> | undefined>;
  }

  close(): void {
    this.port?.terminate();
    this.port = undefined;
  }

  private connectedPort(): WorkerPort {
    if (this.port !== undefined) return this.port;
    const port = this.options.start();
    this.port = port;
    port.listen(
      (message) => this.receive(message),
      (reason) => this.restart(port, reason),
    );
    return port;
  }

  private receive(message: FromWorker): void {
    const seq = "seq" in message ? message.seq : undefined;
    const waiting = seq === undefined ? undefined : this.waiting.get(seq);
    if (waiting === undefined) return this.options.onMessage(message);
    if (message.is === "progress") return waiting.onProgress?.(message);
    this.waiting.delete(seq!);
    if (message.is === "rejected") return waiting.reject(new Rejection(message.errors));
    // Pass the head on now, because the flight's rows may arrive before the promise resolves.
    if (message.is === "flight") this.options.onMessage(message);
    waiting.resolve(message.is === "superseded" ? undefined : message);
  }

  private restart(crashed: WorkerPort, reason: string): void {
    if (this.port !== crashed) return;
    this.close();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.options.onRestart(reason);
    for (const { resolve } of lost) resolve(undefined);
  }
}
