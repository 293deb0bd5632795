/**
 * Connects a live flight to the pages that show it. Every page gets the flight from its start, then all new rows. The
 * hub checks the format of a page's commands; the flight checks their content.
 */
import type { WebSocket } from "ws";
import { encodeFrame, type EventSpec, type FromWorker, plainErrors, type ToLive, viewErrors } from "@escapement/viewer";

/** Adds events to the flight. Returns the time at which they happen. */
type Command = (events: readonly EventSpec[]) => number;

const MAX_EVENTS = 16;

export class LiveHub {
  /** Name of the flight. */
  readonly name: string;
  command: Command = () => {
    throw notBegun();
  };
  private readonly pages = new Set<WebSocket>();
  private head: Extract<FromWorker, { readonly is: "flight" }> | undefined;
  /** Encoded rows and the end of the flight, for pages that connect later. */
  private readonly frames: Uint8Array[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Sends a message of the flight to every page, and keeps it for pages that connect later. */
  readonly post = (message: FromWorker): void => {
    const frame = encodeFrame(message);
    if (message.is === "flight") this.head = message;
    else if (message.is !== "amended") this.frames.push(frame);
    else if (this.head !== undefined) this.head = { ...this.head, head: message.head };
    for (const page of this.pages) page.send(frame);
  };

  join(page: WebSocket): void {
    if (this.head !== undefined) page.send(encodeFrame(this.head));
    for (const frame of this.frames) page.send(frame);
    this.pages.add(page);
    page.on("close", () => this.pages.delete(page));
    // Disconnect a page that violates the WebSocket protocol.
    page.on("error", () => page.terminate());
    page.on("message", (data) => this.answer(page, String(data)));
  }

  private answer(page: WebSocket, text: string): void {
    const message = parseCommand(text);
    const seq = message?.seq ?? -1;
    try {
      if (message === undefined) throw badCommand();
      page.send(encodeFrame({ is: "commanded", seq, atUs: this.command(message.events) }));
    } catch (error) {
      page.send(encodeFrame({ is: "rejected", seq, errors: plainErrors(error) }));
    }
  }
}

function parseCommand(text: string): ToLive | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { do: what, seq, events } = value as Record<string, unknown>;
  const isCommand = what === "command" && Number.isSafeInteger(seq) && Array.isArray(events);
  if (!isCommand || events.length > MAX_EVENTS || !events.every(isTable)) return undefined;
  return value as ToLive;
}

function isTable(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badCommand() {
  return viewErrors.liveCommand({
    what: "this is not a command to a live flight",
    fix: `send { "do": "command", "seq": 1, "events": […] } with at most ${MAX_EVENTS} events`,
  });
}

function notBegun() {
  return viewErrors.liveCommand({ what: "the flight has not begun", fix: "wait for its first rows" });
}
