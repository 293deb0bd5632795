/**
 * Holds all flights of the page, including removed ones that an undo can restore, and applies the workers' messages.
 */
import { batch } from "@preact/signals-core";
import { RowsStore } from "../data/rows-store.ts";
import type { FlightId, FromWorker, ToEngine } from "../protocol.ts";
import type { ViewFlight } from "./view-flight.ts";

type HeadMessage = Extract<FromWorker, { readonly is: "flight" }>;

export class FlightBook {
  private readonly flights = new Map<FlightId, ViewFlight>();
  /** Rows that a new worker sends again. They replace the old ones once there are as many. */
  private readonly resent = new Map<FlightId, RowsStore>();

  add(flight: ViewFlight): void {
    this.flights.set(flight.id, flight);
  }

  drop(id: FlightId): void {
    this.flights.delete(id);
    this.resent.delete(id);
  }

  get all(): Iterable<ViewFlight> {
    return this.flights.values();
  }

  /** Applies a message about a flight. */
  receive(message: FromWorker): void {
    const id = "id" in message ? message.id : undefined;
    const flight = id === undefined ? undefined : this.flights.get(id);
    if (flight !== undefined) batch(() => this.apply(flight, message));
  }

  /** Yields the messages that open every flight again, parents first. */
  *messages(): Generator<ToEngine> {
    for (const { id, head, fork, name, hand, flownUs } of this.flights.values()) {
      if (hand !== undefined) {
        yield* handMessages(id, name.peek(), hand, flownUs.peek());
        continue;
      }
      const { origin, text, files = {} } = head.peek() ?? {};
      if (origin !== "described" || text === undefined) continue;
      const parent = fork.peek()?.parent;
      const common = { seq: 0, id, name: name.peek() };
      if (parent === undefined || !this.flights.has(parent)) yield { do: "open", ...common, text, files };
      else yield { do: "branch", ...common, parent, edit: { kind: "text", text, files } };
    }
  }

  private apply(flight: ViewFlight, message: FromWorker): void {
    switch (message.is) {
      case "flight":
        this.begin(flight, message);
        return;
      case "amended":
        flight.head.value = message.head;
        return;
      case "moved":
        flight.hand?.moves.push(message.move);
        return;
      case "rows": {
        const rows = this.resent.get(flight.id) ?? flight.rows.peek();
        rows.add(message.fromRow, message.batch);
        this.showRows(flight, rows, false);
        flight.flownUs.value = Math.max(flight.flownUs.peek(), message.flownUs);
        if (message.events !== undefined && !this.resent.has(flight.id)) flight.events.value = message.events;
        return;
      }
      case "end":
        this.showRows(flight, this.resent.get(flight.id) ?? flight.rows.peek(), true);
        flight.end.value = message.end;
        flight.events.value = message.events;
        flight.flownUs.value = message.end.endUs;
        flight.state.value = "ended";
        return;
      case "waiting":
        flight.state.value = "waiting";
        return;
      case "rejected":
        flight.errors.value = message.errors;
        flight.state.value = "rejected";
        return;
      default:
    }
  }

  private begin(flight: ViewFlight, { head, fork }: HeadMessage): void {
    const parent = fork === undefined ? undefined : this.flights.get(fork.parent)?.rows.peek();
    const shared = parent === undefined || fork!.sharedUs === 0 ? undefined : { parent, sharedUs: fork!.sharedUs };
    const rows = new RowsStore(head.columns, shared, head.sent);
    // After a crash of the worker, or after flying by hand, the same rows are sent again.
    const isAgain = flight.rows.peek().count > 0;
    flight.head.value = head;
    // The pilot has released the sticks.
    if (head.canBranch) flight.hand = undefined;
    flight.fork.value = fork;
    flight.errors.value = [];
    flight.state.value = "flying";
    flight.flownUs.value = Math.max(flight.flownUs.peek(), fork?.sharedUs ?? 0);
    if (flight.name.peek() === "") flight.name.value = head.name;
    this.resent.delete(flight.id);
    if (isAgain) this.resent.set(flight.id, rows);
    this.showRows(flight, rows, !isAgain);
  }

  /** Shows rows, unless they are sent a second time and are still fewer than the rows shown. */
  private showRows(flight: ViewFlight, rows: RowsStore, isForced: boolean): void {
    if (!isForced && rows !== flight.rows.peek() && rows.count < flight.rows.peek().count) return;
    this.resent.delete(flight.id);
    flight.rows.value = rows;
    flight.rowCount.value = rows.count;
  }
}

/** Yields the messages that continue a flight by hand, and end it if the pilot has ended it. */
function* handMessages(
  id: FlightId,
  name: string,
  { ending, moves, ...start }: NonNullable<ViewFlight["hand"]>,
  untilUs: number,
): Generator<ToEngine> {
  yield { do: "by-hand", seq: 0, id, name, ...start, flown: { moves, untilUs } };
  if (ending !== undefined) yield { do: "release", seq: 0, id, action: ending };
}
