/**
 * The worker that flies: keeps the flights of the page, flies them ahead in slices, and answers questions between slices.
 *
 * Questions come first, then the flights in the order of their rank, then sketches. A newer preview, microscope, check
 * or completion replaces one that waits. Nothing here decides a bit of a flight.
 */
import { flightSchema, type ResolvedFlight } from "@escapement/core";
import { addEvents, offersAt, removeEvent, replaceEvent } from "@escapement/formats";
import type { FileMap, FlightId, FromWorker, TextEdit, ToWorker } from "../protocol.ts";
import { FlownFlight } from "./flown-flight.ts";
import { loadKernels } from "./kernels.ts";
import { preview } from "./preview.ts";
import { Scout } from "./scout.ts";
import { Sketch } from "./sketch.ts";
import { complaintsOf, mustResolveText, plainErrors, registry, resolveText } from "./texts.ts";

/** Longest time between two looks at the messages. */
const SLICE_MS = 12;
/** Shortest time between two messages with rows of one flight: a frame of the page. */
const FRAME_MS = 16;

/** What the worker needs from the place in which it runs. */
interface WorkerHost {
  post(message: FromWorker): void;
  clockMs(): number;
  /** Calls back after the messages that wait have been delivered. */
  defer(callback: () => void): void;
}

type Question = Extract<ToWorker, { readonly seq: number }>;
/** Questions of which only the newest counts. */
const REPLACEABLE: readonly Question["do"][] = ["preview", "microscope", "check", "complete"];

export class Engine {
  private readonly host: WorkerHost;
  private readonly flights = new Map<FlightId, FlownFlight>();
  private ranks: readonly FlightId[] = [];
  private questions: Question[] = [];
  private readonly sketches: { readonly seq: number; readonly sketch: Sketch }[] = [];
  private readonly ended = new Set<FlightId>();
  private readonly waiting = new Set<FlightId>();
  private readonly sentMs = new Map<FlightId, number>();
  private readonly scout = new Scout();
  private schema: unknown;
  private isAwake = false;
  /** True while the first question waits for code. */
  private isHeld = false;

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
      case "drop":
        this.drop(message.id);
        break;
      default:
        this.enqueue(message);
    }
    this.wake();
  }

  private drop(id: FlightId): void {
    this.flights.delete(id);
    this.ended.delete(id);
    this.waiting.delete(id);
    this.sentMs.delete(id);
    this.scout.forget(id);
  }

  private enqueue(question: Question): void {
    if (REPLACEABLE.includes(question.do)) {
      const older = this.questions.filter((each) => each.do === question.do);
      for (const { seq } of older) this.host.post({ is: "superseded", seq });
      this.questions = this.questions.filter((each) => each.do !== question.do);
    }
    this.questions.push(question);
  }

  private wake(): void {
    if (this.isAwake || this.isHeld) return;
    this.isAwake = true;
    this.host.defer(() => this.work());
  }

  /** One question, or one slice of flying. */
  private work(): void {
    this.isAwake = false;
    const question = this.questions.shift();
    if (question !== undefined) this.answer(question);
    else if (!this.flyAhead()) return;
    this.wake();
  }

  private answer(question: Question): void {
    const refuse = (error: unknown) => {
      const id = "id" in question ? { id: question.id } : {};
      this.host.post({ is: "refused", seq: question.seq, ...id, errors: plainErrors(error) });
    };
    try {
      this.tryAnswer(question)?.catch(refuse);
    } catch (error) {
      refuse(error);
    }
  }

  private tryAnswer(question: Question): Promise<void> | void {
    const { post } = this.host;
    const { seq } = question;
    switch (question.do) {
      case "open": {
        const { id, name, text, files } = question;
        const source = { name, text, files, resolved: mustResolveText(text, files) };
        if (this.holdFor(source.resolved, question)) return;
        return this.add(seq, new FlownFlight(id, source));
      }
      case "branch":
        return this.branch(question);
      case "preview":
        return post({ is: "preview", seq, id: question.id, ...preview(this.mustHave(question.id), question) });
      case "sketch": {
        const resolved = mustResolveText(question.text, question.files);
        if (this.holdFor(resolved, question)) return;
        this.sketches.push({ seq, sketch: new Sketch(resolved) });
        return;
      }
      case "exact":
        return post({
          is: "exact",
          seq,
          id: question.id,
          ...this.scout.exact(this.mustHave(question.id), question.tUs),
        });
      case "microscope": {
        const { id, span, columns } = question;
        return post({ is: "microscope", seq, id, ...this.scout.span(this.mustHave(id), span, columns) });
      }
      case "check": {
        const resolution = resolveText(question.text, question.files);
        const hash = resolution.resolved?.hash;
        const complaints = complaintsOf(question.text, resolution);
        return post({ is: "checked", seq, complaints, ...(hash === undefined ? {} : { hash }) });
      }
      case "complete": {
        const { text, offset } = question;
        this.schema ??= flightSchema(registry);
        return post({ is: "offered", seq, ...offersAt(text, offset, this.schema) });
      }
      case "read":
        return import("./read.ts")
          .then(({ read }) => read(question, post))
          .then((result) => post({ is: "read", seq, result }));
      case "save": {
        const { id, as, span } = question;
        const flight = this.mustHave(id);
        return import("./save.ts")
          .then(({ save }) => save(flight, as, span))
          .then((file) => post({ is: "saved", seq, ...file }));
      }
    }
  }

  private branch(question: Extract<ToWorker, { readonly do: "branch" }>): void {
    const { seq, id, parent: parentId, edit, name } = question;
    const parent = this.mustHave(parentId);
    const { text, files } = editedText(parent.source, edit);
    const source = { name, text, files, resolved: mustResolveText(text, files) };
    if (this.holdFor(source.resolved, question)) return;
    this.add(seq, new FlownFlight(id, source, parent));
  }

  /** If code for a vehicle must be loaded first, asks the question again when it is there, before all others. */
  private holdFor({ definition }: ResolvedFlight, question: Question): boolean {
    const loading = loadKernels(definition.vehicle.rotors.length);
    if (loading === undefined) return false;
    this.isHeld = true;
    this.questions.unshift(question);
    void loading.then(() => {
      this.isHeld = false;
      this.wake();
    });
    return true;
  }

  private add(seq: number, flight: FlownFlight): void {
    this.flights.set(flight.id, flight);
    this.ended.delete(flight.id);
    this.waiting.delete(flight.id);
    const { id, fork } = flight;
    this.host.post({ is: "flight", seq, id, ...(fork === undefined ? {} : { fork }), head: flight.head() });
  }

  private mustHave(id: FlightId): FlownFlight {
    const flight = this.flights.get(id);
    if (flight === undefined) throw new Error(`the worker does not know flight ${id}`);
    return flight;
  }

  /** Flies one slice of the first flight that is not done. Returns false if there is nothing to fly. */
  private flyAhead(): boolean {
    const flight = this.next();
    const { clockMs } = this.host;
    const untilMs = clockMs() + SLICE_MS;
    const hasEnough = () => clockMs() >= untilMs;
    if (flight === undefined) return this.sketchAhead(hasEnough);
    flight.advance(hasEnough, clockMs);
    this.report(flight);
    return true;
  }

  private next(): FlownFlight | undefined {
    const isOpen = (flight: FlownFlight | undefined) =>
      flight !== undefined && !this.ended.has(flight.id) && !this.waiting.has(flight.id);
    for (const id of this.ranks) {
      const flight = this.flights.get(id);
      if (isOpen(flight)) return flight;
    }
    return [...this.flights.values()].find(isOpen);
  }

  private report(flight: FlownFlight): void {
    const { post, clockMs } = this.host;
    const { id } = flight;
    const isDone = flight.isOver || flight.isWaiting;
    if (!isDone && clockMs() - (this.sentMs.get(id) ?? 0) < FRAME_MS) return;
    const rows = flight.takeRows();
    const events = flight.takeEvents();
    if (rows !== undefined) post({ is: "rows", id, ...rows, ...(events === undefined ? {} : { events }) });
    this.sentMs.set(id, clockMs());
    if (flight.isOver) {
      this.ended.add(id);
      post({ is: "end", id, events: flight.session.events, end: flight.end() });
    } else if (isDone) {
      this.waiting.add(id);
      post({ is: "waiting", id, flownUs: flight.flownUs });
    }
  }

  private sketchAhead(hasEnough: () => boolean): boolean {
    const first = this.sketches[0];
    if (first === undefined) return false;
    const picture = first.sketch.advance(hasEnough);
    if (picture === undefined) return true;
    this.sketches.shift();
    this.host.post({ is: "sketch", seq: first.seq, ...picture });
    return true;
  }
}

/** The text of a branch. */
function editedText(
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
