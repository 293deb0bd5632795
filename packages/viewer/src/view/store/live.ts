/** The page's connection to a live flight: receives its rows and sends commands. */
import { viewErrors } from "../errors.ts";
import { decodeFrame } from "../live/frames.ts";
import type { EventSpec, FromWorker, ToLive } from "../protocol.ts";
import { Rejection } from "./connection.ts";

/** The members of a WebSocket that a live flight needs. */
interface LiveSocket {
  send(text: string): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class LiveConnection {
  private readonly socket: LiveSocket;
  private readonly waiting = new Map<number, Waiting>();
  private seq = 0;
  private isClosed = false;

  /** `onMessage` receives every message about the flight; `onClose` is called when the connection ends. */
  constructor(socket: LiveSocket, onMessage: (message: FromWorker) => void, onClose: () => void) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message = decodeFrame(data as ArrayBuffer);
      if ("seq" in message && message.seq !== undefined && message.seq > 0) this.answer(message.seq, message);
      else onMessage(message);
    });
    socket.addEventListener("close", () => {
      this.isClosed = true;
      for (const { reject } of this.waiting.values()) reject(closedError());
      this.waiting.clear();
      onClose();
    });
  }

  /** Adds events to the flight, which happen immediately. Throws if the flight rejects them. */
  command(events: readonly EventSpec[]): Promise<void> {
    if (this.isClosed) return Promise.reject(closedError());
    this.seq += 1;
    const message: ToLive = { do: "command", seq: this.seq, events };
    this.socket.send(JSON.stringify(message));
    return new Promise((resolve, reject) => this.waiting.set(message.seq, { resolve, reject }));
  }

  private answer(seq: number, message: FromWorker): void {
    const waiting = this.waiting.get(seq);
    this.waiting.delete(seq);
    if (message.is === "rejected") waiting?.reject(new Rejection(message.errors));
    else waiting?.resolve();
  }
}

function closedError() {
  return viewErrors.server({
    what: "the command that flies this flight has ended",
    fix: "start escapement view --live again",
  });
}
