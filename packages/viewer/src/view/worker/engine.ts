/**
 * The engine of the worker: holds the flights of the page, flies them ahead in slices, and answers requests between
 * slices.
 *
 * Requests come first, then columns to be flown again, then the flights in the order of their rank, then sketches. A
 * newer request for a preview, a microscope, a check, completions or lines replaces a waiting request of the same kind.
 * Scheduling here does not affect the results of a flight.
 */
import { type ActionName, flightSchema, type ResolvedFlight } from "@escapement/core";
import { addEvents, offersAt, removeEvent, replaceEvent } from "@escapement/formats";
import type { FileMap, FlightId, FromWorker, TextEdit, ToWorker } from "../protocol.ts";
import { FlownFlight } from "./flown-flight.ts";
import { HandFlight } from "./hand-flight.ts";
import { loadKernels } from "./kernels.ts";
import type { LogRows } from "./log-rows.ts";
import { preview } from "./preview.ts";
import { Refill } from "./refill.ts";
import { Scout } from "./scout.ts";
import { Sketch } from "./sketch.ts";
import { textDiagnostics, mustResolveText, plainErrors, registry, resolveText } from "./texts.ts";

/** Longest time between two polls of the message queue. */
const SLICE_MS = 12;
/**
 * Shortest time between two messages with rows of one flight: about one frame of the page for a flight by hand, and
 * longer for others, because every message makes the page draw.
 */
const [HAND_INTERVAL_MS, AHEAD_INTERVAL_MS] = [16, 50];

/** Sequence number of messages that answer no request. */
const NO_SEQ = 0;

/** Functions of the host that the engine uses. */
interface WorkerHost {
  post(message: FromWorker): void;
  clockMs(): number;
  /** Calls back after the pending messages have been delivered. */
  defer(callback: () => void): void;
}

type Request = Extract<ToWorker, { readonly seq: number }>;
/** Requests that a newer one of the same kind replaces. */
const REPLACEABLE: readonly Request["do"][] = ["preview", "microscope", "check", "complete", "lines"];

export class Engine {
  private readonly host: WorkerHost;
  private readonly flights = new Map<FlightId, FlownFlight>();
  private ranks: readonly FlightId[] = [];
  private requests: Request[] = [];
  private readonly sketches: { readonly seq: number; readonly sketch: Sketch }[] = [];
  private readonly refills: { readonly seq: number; readonly id: FlightId; readonly refill: Refill }[] = [];
  /** The flights that are being flown by hand. */
  private readonly handFlights = new Map<FlightId, HandFlight>();
  private readonly logs = new Map<FlightId, LogRows>();
  private readonly ended = new Set<FlightId>();
  private readonly waiting = new Set<FlightId>();
  private readonly sentMs = new Map<FlightId, number>();
  private readonly scout = new Scout();
  private schema: unknown;
  private isScheduled = false;
  /** Whether the first request waits for compiled code to load. */
  private isLoadingCode = false;

  constructor(host: WorkerHost) {
    this.host = host;
  }

  receive(message: ToWorker): void {
    switch (message.do) {
      case "rank":
        this.ranks = message.ids;
        break;
      case "reach":
        this.flights.get(message.id)?.reach(message.untilUs);
        this.waiting.delete(message.id);
        break;
      case "steer":
        this.handFlights.get(message.id)?.steer(message.sticks, message.untilUs);
        this.waiting.delete(message.id);
        break;
      case "drop":
        this.drop(message.id);
        break;
      default:
        this.enqueue(message);
    }
    this.schedule();
  }

  private drop(id: FlightId): void {
    this.flights.delete(id);
    this.ended.delete(id);
    this.waiting.delete(id);
    this.sentMs.delete(id);
    this.scout.forget(id);
    this.handFlights.delete(id);
    this.logs.delete(id);
  }

  private enqueue(request: Request): void {
    if (REPLACEABLE.includes(request.do)) {
      const older = this.requests.filter((each) => each.do === request.do);
      for (const { seq } of older) this.host.post({ is: "superseded", seq });
      this.requests = this.requests.filter((each) => each.do !== request.do);
    }
    this.requests.push(request);
  }

  private schedule(): void {
    if (this.isScheduled || this.isLoadingCode) return;
    this.isScheduled = true;
    this.host.defer(() => this.runNext());
  }

  /** Answers one request or flies one slice, and schedules the next. */
  private runNext(): void {
    this.isScheduled = false;
    const request = this.requests.shift();
    if (request !== undefined) this.answer(request);
    else if (!this.flyAhead()) return;
    this.schedule();
  }

  private answer(request: Request): void {
    const reject = (error: unknown) => {
      const id = "id" in request ? { id: request.id } : {};
      this.host.post({ is: "rejected", seq: request.seq, ...id, errors: plainErrors(error) });
    };
    try {
      this.tryAnswer(request)?.catch(reject);
    } catch (error) {
      reject(error);
    }
  }

  private tryAnswer(request: Request): Promise<void> | void {
    const { post } = this.host;
    const { seq } = request;
    switch (request.do) {
      case "open":
        return this.open(request);
      case "branch":
        return this.branch(request);
      case "by-hand":
        return this.flyByHand(request);
      case "release":
        return this.release(request.id, seq, request.action);
      case "preview":
        return post({ is: "preview", seq, id: request.id, ...preview(this.findFlight(request.id), request) });
      case "sketch": {
        const resolved = mustResolveText(request.text, request.files);
        if (this.loadCodeFor(resolved, request)) return;
        post({ is: "progress", seq, fraction: 0, about: resolved.settings.about });
        this.sketches.push({ seq, sketch: new Sketch(resolved) });
        return;
      }
      case "exact": {
        const { id, tUs } = request;
        return post({ is: "exact", seq, id, ...this.scout.exact(this.findFlight(id), tUs) });
      }
      case "microscope": {
        const { id, span, columns } = request;
        return post({ is: "microscope", seq, id, ...this.scout.span(this.findFlight(id), span, columns) });
      }
      case "check": {
        const resolution = resolveText(request.text, request.files);
        const hash = resolution.resolved?.hash;
        const diagnostics = textDiagnostics(request.text, resolution);
        return post({ is: "checked", seq, diagnostics, ...(hash === undefined ? {} : { hash }) });
      }
      case "complete": {
        const { text, offset } = request;
        this.schema ??= flightSchema(registry);
        return post({ is: "offered", seq, ...offersAt(text, offset, this.schema) });
      }
      case "explain":
        return import("./explain.ts").then(({ explain }) =>
          post({ is: "explained", seq, text: explain(request.code) }),
        );
      case "read":
        return this.readFile(request);
      case "columns":
        return this.findColumns(request);
      case "lines":
        return this.findLines(request);
      case "save": {
        const { id, as, span } = request;
        const flight = this.findFlight(id);
        return import("./save.ts")
          .then(({ save }) => save(flight, as, span))
          .then((file) => post({ is: "saved", seq, ...file }));
      }
    }
  }

  private async readFile(request: Extract<ToWorker, { readonly do: "read" }>): Promise<void> {
    const { seq, id } = request;
    const { read } = await import("./read.ts");
    const { result, rows } = await read(request, this.host.post);
    if (rows !== undefined) this.logs.set(id, rows);
    this.host.post({ is: "read", seq, result });
  }

  private findLines({ seq, id, quantities, span, points }: Extract<ToWorker, { readonly do: "lines" }>): void {
    const log = this.logs.get(id);
    if (log === undefined) throw new Error(`unknown log ${id}`);
    this.host.post({ is: "lines", seq, id, ...log.lines(quantities, span, points) });
  }

  /** Finds columns. The columns of a log are in memory. For the columns of a flight, the flight is flown again. */
  private findColumns({ seq, id, columns, untilUs }: Extract<ToWorker, { readonly do: "columns" }>): void {
    const log = this.logs.get(id);
    if (log !== undefined) return this.host.post({ is: "columns", seq, id, values: log.sent(columns) });
    this.refills.push({ seq, id, refill: new Refill(this.findFlight(id), columns, untilUs) });
  }

  private open(request: Extract<ToWorker, { readonly do: "open" }>): void {
    const { seq, id, name, text, files } = request;
    const source = { name, text, files, resolved: mustResolveText(text, files) };
    if (this.loadCodeFor(source.resolved, request)) return;
    this.add(seq, new FlownFlight(id, source));
  }

  private branch(request: Extract<ToWorker, { readonly do: "branch" }>): void {
    const { seq, id, parent: parentId, edit, name } = request;
    const parent = this.findFlight(parentId);
    const { text, files } = applyEdit(parent.source, edit);
    const source = { name, text, files, resolved: mustResolveText(text, files) };
    if (this.loadCodeFor(source.resolved, request)) return;
    this.add(seq, new FlownFlight(id, source, parent));
  }

  private flyByHand(request: Extract<ToWorker, { readonly do: "by-hand" }>): void {
    const parent = this.findFlight(request.parent);
    const { id, seq } = request;
    const hand = new HandFlight(request, parent, (move) => this.host.post({ is: "moved", id, move }));
    this.handFlights.set(id, hand);
    this.add(seq, hand.flight, hand.head);
  }

  /** Ends flying by hand: replaces the flight with the flight of its description. */
  private release(id: FlightId, seq: number, action?: ActionName): void {
    const hand = this.handFlights.get(id);
    // The flight may have ended just before the pilot released the sticks.
    if (hand === undefined) return this.host.post({ is: "superseded", seq });
    this.handFlights.delete(id);
    this.scout.forget(id);
    this.add(seq, new FlownFlight(id, hand.finish(action), hand.parent));
  }

  /**
   * Starts to load the code for the vehicle if it was not loaded before. If so, returns true, and the request is
   * repeated before all other requests once the code is loaded.
   */
  private loadCodeFor({ definition }: ResolvedFlight, request: Request): boolean {
    const loading = loadKernels(definition.vehicle.rotors.length);
    if (loading === undefined) return false;
    this.isLoadingCode = true;
    this.requests.unshift(request);
    void loading.then(() => {
      this.isLoadingCode = false;
      this.schedule();
    });
    return true;
  }

  private add(seq: number, flight: FlownFlight, head = flight.head()): void {
    this.flights.set(flight.id, flight);
    this.ended.delete(flight.id);
    this.waiting.delete(flight.id);
    const { id, fork } = flight;
    this.host.post({ is: "flight", seq, id, ...(fork === undefined ? {} : { fork }), head });
  }

  private findFlight(id: FlightId): FlownFlight {
    const flight = this.flights.get(id);
    if (flight === undefined) throw new Error(`unknown flight ${id}`);
    return flight;
  }

  /** Flies one slice of the first unfinished flight. Returns false if there is nothing to fly. */
  private flyAhead(): boolean {
    const flight = this.findUnfinished();
    const { clockMs } = this.host;
    const untilMs = clockMs() + SLICE_MS;
    const shouldPause = () => clockMs() >= untilMs;
    if (this.flyRefill(shouldPause)) return true;
    if (flight === undefined) return this.flySketch(shouldPause);
    flight.advance(shouldPause, clockMs);
    this.sendProgress(flight);
    return true;
  }

  private findUnfinished(): FlownFlight | undefined {
    const isOpen = (flight: FlownFlight | undefined) =>
      flight !== undefined && !this.ended.has(flight.id) && !this.waiting.has(flight.id);
    for (const id of this.ranks) {
      const flight = this.flights.get(id);
      if (isOpen(flight)) return flight;
    }
    return [...this.flights.values()].find(isOpen);
  }

  private sendProgress(flight: FlownFlight): void {
    const { post, clockMs } = this.host;
    const { id } = flight;
    const isDone = flight.isOver || flight.isWaiting;
    const intervalMs = this.handFlights.has(id) ? HAND_INTERVAL_MS : AHEAD_INTERVAL_MS;
    if (!isDone && clockMs() - (this.sentMs.get(id) ?? -Infinity) < intervalMs) return;
    const rows = flight.takeRows();
    const events = flight.takeEvents();
    if (rows !== undefined) post({ is: "rows", id, ...rows, ...(events === undefined ? {} : { events }) });
    this.sentMs.set(id, clockMs());
    const isByHand = this.handFlights.has(id);
    if (isByHand && flight.isOver) this.release(id, NO_SEQ);
    else if (isByHand && isDone) this.waiting.add(id);
    else if (flight.isOver) {
      this.ended.add(id);
      post({ is: "end", id, events: flight.session.events, end: flight.end() });
    } else if (isDone) {
      this.waiting.add(id);
      post({ is: "waiting", id, flownUs: flight.flownUs });
    }
  }

  /** Flies one slice for requested columns. Returns false if no columns are requested. */
  private flyRefill(shouldPause: () => boolean): boolean {
    const first = this.refills[0];
    if (first === undefined) return false;
    const { seq, id, refill } = first;
    const values = refill.advance(shouldPause);
    if (values === undefined) return true;
    this.refills.shift();
    this.host.post({ is: "columns", seq, id, values });
    return true;
  }

  private flySketch(shouldPause: () => boolean): boolean {
    const first = this.sketches[0];
    if (first === undefined) return false;
    const picture = first.sketch.advance(shouldPause);
    if (picture === undefined) return true;
    this.sketches.shift();
    this.host.post({ is: "sketch", seq: first.seq, ...picture });
    return true;
  }
}

/** Returns the text of a branch. */
function applyEdit(
  parent: { readonly text: string; readonly files: FileMap },
  edit: TextEdit,
): { readonly text: string; readonly files: FileMap } {
  const { text, files } = parent;
  switch (edit.kind) {
    case "add":
      return { text: addEvents(text, edit.events), files };
    case "replace":
      return { text: replaceEvent(text, edit.index, edit.event), files };
    case "remove":
      return { text: removeEvent(text, edit.index), files };
    case "text":
      return { text: edit.text, files: edit.files };
  }
}
