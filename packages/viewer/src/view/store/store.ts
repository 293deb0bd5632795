/**
 * The store: the state of the page, and every action on it.
 *
 * Injecting an event makes a branch with its own text. The playhead, the plots and the scene only read rows, while the
 * worker flies ahead. This file is long because every action of the page is a method here.
 */
import type { ActionName } from "@escapement/core";
import { batch, effect, untracked } from "@preact/signals-core";
import { plainErrorOf, viewErrors } from "../errors.ts";
import type {
  EventSpec,
  FileMap,
  FlightId,
  FromWorker,
  Offer,
  PlainError,
  SaveFormat,
  StickPositions,
  TextEdit,
  TimeSpan,
} from "../protocol.ts";
import { ColumnKeeper } from "./columns.ts";
import { Connection, Rejection, type WorkerPort } from "./connection.ts";
import { FlightBook } from "./flight-book.ts";
import { History } from "./history.ts";
import { Playhead } from "./playhead.ts";
import { PreviewQueue } from "./preview-queue.ts";
import { ViewState } from "./state.ts";
import { type ExpectedFlight, ViewFlight } from "./view-flight.ts";

/** The engine is restarted at most this many times in a row. */
const MAX_CRASHES = 3;
/** Length of a preview. */
const PREVIEW_US = 6_000_000;
const POSE = ["posNed", "posNed", "posNed", "qBodyToNed", "qBodyToNed", "qBodyToNed", "qBodyToNed"];
const POSE_COMPONENTS = [0, 1, 2, 0, 1, 2, 3];

interface OpenOptions {
  readonly files?: FileMap;
  readonly name?: string;
  readonly expected?: ExpectedFlight;
}

interface PreviewRequest {
  readonly flight: ViewFlight;
  readonly events: readonly EventSpec[];
  readonly atUs: number;
  readonly replaced?: number;
}

/** Adds events to a live flight. */
type LiveCommand = (events: readonly EventSpec[]) => Promise<void>;

interface StoreOptions {
  /** Starts a worker. The first one flies; a second one reads texts and files. */
  readonly startWorker: () => WorkerPort;
  /** Rows may take this much memory before columns that nothing shows are dropped. */
  readonly maxRowBytes?: number;
}

export class Store {
  readonly state = new ViewState();
  readonly history = new History(this.state);
  readonly playhead: Playhead;
  private readonly engine: Connection;
  private readonly reader: Connection;
  private readonly book = new FlightBook();
  private readonly columns: ColumnKeeper;
  private readonly live = new Map<FlightId, LiveCommand>();
  private crashes = 0;
  private lastId = 0;
  private lastGroup = 0;
  private lastTrouble = 0;
  private readonly previews = new PreviewQueue(
    (request: PreviewRequest) => this.flyPreview(request),
    ({ flight, atUs }, { batch: { timesUs, values }, endUs, outcome }) => {
      const ended = { ...(endUs === undefined ? {} : { endUs }), ...(outcome === undefined ? {} : { outcome }) };
      this.state.preview.value = { flight: flight.id, fromUs: atUs, timesUs, values, ...ended };
    },
  );

  constructor({ startWorker, maxRowBytes }: StoreOptions) {
    const onMessage = (message: FromWorker) => this.receive(message);
    this.engine = new Connection({ start: startWorker, onMessage, onRestart: (reason) => this.restore(reason) });
    this.reader = new Connection({
      start: startWorker,
      onMessage,
      onRestart: (reason) =>
        this.report("A file could not be read", [plainError(reason, "open it again, or convert it")]),
    });
    this.playhead = new Playhead(this.state, this.engine);
    this.columns = new ColumnKeeper(
      this.state,
      () => this.book.all,
      async (flight, columns, untilUs) => {
        const worker = flight.head.peek()?.origin === "described" ? this.engine : this.reader;
        return (await worker.ask("columns", { do: "columns", id: flight.id, columns, untilUs }))?.values;
      },
      maxRowBytes,
    );
  }

  /** Opens a description in TOML or JSON and makes it the active flight. */
  async open(text: string, { files = {}, name = "", expected }: OpenOptions = {}): Promise<ViewFlight> {
    const flight = this.newFlight(name);
    flight.expected.value = expected;
    flight.given.value = { text, files };
    this.show(flight, `open ${name}`);
    await this.waitForHead(flight, this.engine.ask("flight", { do: "open", id: flight.id, text, files, name }));
    return flight;
  }

  openBuiltIn(name: string): Promise<ViewFlight> {
    return this.open(`extends = "${name}"\n`, { name });
  }

  /** Opens a file of any supported kind. */
  async openFile(file: File): Promise<ViewFlight | undefined> {
    const flight = this.newFlight(file.name);
    flight.readFraction.value = 0;
    const before = this.state.activeId.peek();
    this.show(flight, `open ${file.name}`);
    let early: Promise<ViewFlight> | undefined;
    try {
      const question = { do: "read", id: flight.id, file, name: file.name } as const;
      const answer = await this.reader.ask("read", question, ({ fraction, described }) => {
        flight.readFraction.value = fraction;
        if (described !== undefined) early = this.openEarly(flight, described);
      });
      flight.readFraction.value = undefined;
      if (answer === undefined || answer.result.kind === "rows") {
        if (early !== undefined) this.removeFromPage(await early);
        return flight;
      }
      this.removeFromPage(flight);
      const { result } = answer;
      if (result.kind === "parameters") {
        // Parameters apply to the flight that was active when the file was opened.
        if (before !== undefined) this.activate(before);
        return await this.applyParameters(result.values);
      }
      const { text, files, name, expected } = result;
      const version = expected === undefined ? {} : { expected: { ...expected, sections: {}, version: "" } };
      if (early === undefined) return await this.open(text, { files, name, ...version });
      const opened = await early;
      opened.expected.value = version.expected;
      return opened;
    } catch (error) {
      this.removeFromPage(flight);
      if (early !== undefined) this.removeFromPage(await early);
      if (before !== undefined) this.activate(before);
      this.reportFailure(`${file.name} cannot be opened`, error);
      return undefined;
    }
  }

  /** Flies the flight of a recording that is still being read. */
  private openEarly(reading: ViewFlight, text: string): Promise<ViewFlight> {
    return this.open(text, { name: reading.name.peek().replace(/\.mcap$/i, "") });
  }

  /** Shows a live flight. `command` adds events to it. Returns the function that receives its messages. */
  openLive(name: string, command: LiveCommand): (message: FromWorker) => void {
    const flight = this.newFlight(name);
    this.live.set(flight.id, command);
    this.show(flight, `open ${name}`);
    this.state.isLive.value = true;
    return (message) => this.receive("id" in message ? ({ ...message, id: flight.id } as FromWorker) : message);
  }

  /** Makes a branch of the active flight with additional events. */
  inject(events: readonly EventSpec[], name: string): Promise<ViewFlight | undefined> {
    return this.branch({ kind: "add", events }, name);
  }

  /** Makes one branch per variant, as one sweep. */
  async sweep(variants: readonly { readonly edit: TextEdit; readonly name: string }[]): Promise<void> {
    this.lastGroup += 1;
    const group = this.lastGroup;
    await Promise.all(variants.map(({ edit, name }) => this.branch(edit, name, group)));
  }

  /** Makes a branch of the active flight with an edited text. */
  async branch(edit: TextEdit, name: string, group?: number): Promise<ViewFlight | undefined> {
    const parent = this.state.active.peek();
    if (parent === undefined) return undefined;
    if (parent.state.peek() === "rejected") return this.correct(parent, edit);
    const command = this.live.get(parent.id);
    if (command !== undefined && parent.end.peek() === undefined) return this.command(parent, command, edit);
    if (command !== undefined) {
      await this.flyAgain(parent);
      return this.branch(edit, name, group);
    }
    const flight = this.newFlight(name, group);
    this.show(flight, name, group === undefined ? undefined : parent.id);
    if (this.state.referenceId.peek() === undefined) this.state.referenceId.value = parent.id;
    const question = { do: "branch", id: flight.id, parent: parent.id, edit, name } as const;
    await this.waitForHead(flight, this.engine.ask("flight", question));
    return flight;
  }

  /** Makes a branch of the active flight that is flown by hand from an instant on, as far as `steer` allows. */
  async flyByHand(atUs: number, arms: boolean): Promise<ViewFlight | undefined> {
    const parent = this.state.active.peek();
    if (parent?.head.peek()?.canBranch !== true) return undefined;
    const name = "by hand";
    const flight = this.newFlight(name);
    flight.hand = { parent: parent.id, atUs, arms, moves: [] };
    this.show(flight, name);
    if (this.state.referenceId.peek() === undefined) this.state.referenceId.value = parent.id;
    const question = { do: "by-hand", id: flight.id, parent: parent.id, atUs, arms, name } as const;
    await this.waitForHead(flight, this.engine.ask("flight", question));
    return flight;
  }

  /** Moves the sticks of a flight by hand, and lets it fly to a time. */
  steer(id: FlightId, untilUs: number, sticks: StickPositions): void {
    this.engine.send({ do: "steer", id, untilUs, sticks });
  }

  /** Ends flying by hand. The flight continues with an action, and is flown to its end. */
  async release(flight: ViewFlight, action: ActionName): Promise<void> {
    if (flight.hand !== undefined) flight.hand.ending = action;
    await this.waitForHead(flight, this.engine.ask("flight", { do: "release", id: flight.id, action }));
  }

  /** Opens the corrected text of a description that had errors, and replaces the rejected flight with it. */
  private async correct(rejected: ViewFlight, edit: TextEdit): Promise<ViewFlight | undefined> {
    if (edit.kind !== "text") return undefined;
    this.removeFromPage(rejected);
    return this.open(edit.text, { files: edit.files, name: rejected.name.peek() });
  }

  /** Adds events to a live flight. This makes no branch. */
  private async command(flight: ViewFlight, command: LiveCommand, edit: TextEdit): Promise<ViewFlight> {
    try {
      if (edit.kind !== "add") {
        throw viewErrors.liveCommand({
          what: "a live flight accepts only new events",
          fix: "wait for its end, then change the description",
        });
      }
      await command(edit.events);
    } catch (error) {
      this.reportFailure("The live flight rejected the command", error);
    }
    return flight;
  }

  /** After a live flight has ended, flies its description again and verifies the fingerprint. */
  private async flyAgain(flight: ViewFlight): Promise<void> {
    const { text = "", files, hash } = flight.head.peek()!;
    const { fingerprint } = flight.end.peek()!;
    const expected = { fingerprint, hash, sections: {}, version: "" };
    await this.open(text, { files, name: flight.name.peek(), expected });
  }

  /** Opens a text as a branch of a flight, e.g. from a link. */
  async openBranch(
    parent: ViewFlight,
    text: string,
    { files = {}, name = "", expected }: OpenOptions,
  ): Promise<ViewFlight> {
    const flight = this.newFlight(name);
    flight.expected.value = expected;
    this.show(flight, `open ${name}`);
    const edit = { kind: "text", text, files } as const;
    const question = { do: "branch", id: flight.id, parent: parent.id, edit, name } as const;
    await this.waitForHead(flight, this.engine.ask("flight", question));
    return flight;
  }

  /** Moves the playhead to an instant as soon as the active flight has been flown that far. */
  goWhenFlown(tUs: number): void {
    const flight = this.state.active.peek();
    if (flight === undefined) return;
    const stop = effect(() => {
      if (flight.flownUs.value < tUs && flight.end.value === undefined) return;
      untracked(() => this.playhead.goTo(tUs));
      queueMicrotask(() => stop());
    });
  }

  /**
   * Previews the future with `events` and without the event that they replace. Without `events`, ends the preview.
   */
  preview(events: readonly EventSpec[] | undefined, atUs = this.state.nowUs.peek(), replaced?: number): void {
    const flight = this.state.active.peek();
    if (events !== undefined && flight !== undefined) {
      return this.previews.ask({ flight, events, atUs, ...(replaced === undefined ? {} : { replaced }) });
    }
    this.previews.clear();
    this.state.preview.value = undefined;
  }

  private async flyPreview({ flight, ...request }: PreviewRequest) {
    const rows = flight.rows.peek();
    const columns = POSE.map((signal, i) => rows.place(signal, POSE_COMPONENTS[i]));
    const question = { do: "preview", id: flight.id, ...request, horizonUs: PREVIEW_US, columns } as const;
    return this.engine.ask("preview", question).catch(() => undefined);
  }

  /** Removes a flight from the page. Its branches stay. */
  remove(id: FlightId): void {
    const flight = this.state.flight(id);
    if (flight === undefined) return;
    const index = this.state.flights.peek().indexOf(flight);
    const { activeId, referenceId } = this.state;
    const chosen = { active: activeId.peek(), reference: referenceId.peek() };
    const redo = () => this.removeFromPage(flight);
    redo();
    this.history.add({
      label: `remove ${flight.name.peek()}`,
      undo: () => {
        this.restoreAt(flight, index);
        activeId.value = chosen.active;
        referenceId.value = chosen.reference;
      },
      redo,
      forget: (wasDone) => wasDone && this.drop(flight),
    });
  }

  /** Makes a flight the active one, and shows it if it was hidden. */
  activate(id: FlightId): void {
    const flight = this.state.flight(id);
    if (flight === undefined) return;
    flight.isHidden.value = false;
    this.state.activeId.value = id;
    this.rank();
  }

  setReference(id: FlightId | undefined): void {
    this.state.referenceId.value = id;
  }

  rename(id: FlightId, name: string): void {
    const flight = this.state.flight(id);
    if (flight === undefined || name.trim() === "") return;
    const before = flight.name.peek();
    const set = (to: string) => (flight.name.value = to);
    set(name.trim());
    this.history.add({ label: `rename ${before}`, undo: () => set(before), redo: () => set(name.trim()) });
  }

  /** Flies beyond the default limit. */
  reach(id: FlightId, untilUs = Infinity): void {
    const flight = this.state.flight(id);
    if (flight?.state.peek() !== "waiting") return;
    flight.state.value = "flying";
    this.engine.send({ do: "reach", id, untilUs });
  }

  /**
   * Returns every boundary of a span. Undefined if the flight cannot be flown again, or if a newer request replaced
   * this one.
   */
  microscope(id: FlightId, span: TimeSpan, columns: readonly number[]) {
    return this.engine.ask("microscope", { do: "microscope", id, span, columns }).catch(() => undefined);
  }

  /**
   * Returns lines from all rows of a log. Undefined if the worker has no such log, or if a newer request replaced this
   * one.
   */
  lines(id: FlightId, quantities: readonly string[], span: TimeSpan, points: number) {
    return this.reader.ask("lines", { do: "lines", id, quantities, span, points }).catch(() => undefined);
  }

  /**
   * Makes a small picture of a flight for the start page. `onAbout` gets the flight's explanation before the flight is
   * flown.
   */
  sketch(text: string, onAbout: (about: string) => void) {
    return this.engine.ask("sketch", { do: "sketch", text, files: {} }, ({ about }) => onAbout(about ?? ""));
  }

  /** Checks a text and sets `state.diagnostics`. Returns whether the text has no errors. */
  async check(text: string, files: FileMap = {}): Promise<boolean> {
    const answer = await this.reader.ask("checked", { do: "check", text, files });
    if (answer === undefined) return false;
    this.state.diagnostics.value = answer.diagnostics;
    return answer.hash !== undefined;
  }

  /** Returns completions at an offset of a text. */
  async complete(
    text: string,
    offset: number,
  ): Promise<{ readonly from: number; readonly to: number; readonly offers: readonly Offer[] } | undefined> {
    return this.reader.ask("offered", { do: "complete", text, offset, files: {} });
  }

  /** Returns the explanation of an error code. */
  async explain(code: string): Promise<string> {
    const viewError = Object.values(viewErrors).find((each) => each.code === code);
    return viewError?.explain ?? (await this.reader.ask("explained", { do: "explain", code }))?.text ?? "";
  }

  /** Returns a file of the flight. */
  save(id: FlightId, as: SaveFormat, span?: TimeSpan) {
    const { text } = this.state.flight(id)?.head.peek() ?? {};
    // The engine does not hold live flights, but the page has their descriptions.
    if (this.live.has(id) && as === "toml" && text !== undefined) {
      return Promise.resolve({ name: "flight.toml", blob: new Blob([text]) });
    }
    return this.engine.ask("saved", { do: "save", id, as, ...(span === undefined ? {} : { span }) });
  }

  dismiss(trouble: number): void {
    const { troubles } = this.state;
    troubles.value = troubles.peek().filter(({ id }) => id !== trouble);
  }

  report(title: string, errors: readonly PlainError[]): number {
    this.lastTrouble += 1;
    const { troubles } = this.state;
    troubles.value = [...troubles.peek(), { id: this.lastTrouble, title, errors }];
    return this.lastTrouble;
  }

  close(): void {
    this.engine.close();
    this.reader.close();
  }

  private newFlight(name: string, group?: number): ViewFlight {
    this.lastId += 1;
    const flight = new ViewFlight(this.lastId, this.state.freeSlot, group);
    flight.name.value = name;
    this.book.add(flight);
    return flight;
  }

  /** Adds a flight to the page as an undoable step, and activates it, or the flight `activeId` if it is given. */
  private show(flight: ViewFlight, label: string, activeId?: FlightId): void {
    const before = this.state.activeId.peek();
    const redo = () => {
      this.restoreAt(flight, this.state.flights.peek().length);
      this.activate(activeId ?? flight.id);
    };
    redo();
    this.history.add({
      label,
      undo: () => {
        this.removeFromPage(flight);
        if (before !== undefined) this.activate(before);
      },
      redo,
      forget: (wasDone) => !wasDone && this.drop(flight),
    });
  }

  private restoreAt(flight: ViewFlight, index: number): void {
    const flights = this.state.flights.peek().filter((each) => each !== flight);
    this.state.flights.value = [...flights.slice(0, index), flight, ...flights.slice(index)];
  }

  private removeFromPage(flight: ViewFlight): void {
    batch(() => {
      const { flights, activeId, referenceId } = this.state;
      const rest = flights.peek().filter((each) => each !== flight);
      flights.value = rest;
      if (activeId.peek() === flight.id) {
        const parent = rest.find(({ id }) => id === flight.fork.peek()?.parent) ?? rest.at(-1);
        activeId.value = parent?.id;
      }
      if (referenceId.peek() === flight.id) referenceId.value = undefined;
    });
  }

  private drop({ id, head }: ViewFlight): void {
    this.book.drop(id);
    const origin = head.peek()?.origin;
    if (origin === "described") this.engine.send({ do: "drop", id });
    else if (origin === "log" || origin === "recorded") this.reader.send({ do: "drop", id });
    this.live.delete(id);
  }

  private rank(): void {
    const { activeId, referenceId, flights } = this.state;
    const all = flights.peek().map(({ id }) => id);
    const first = [activeId.peek(), referenceId.peek()].filter((id) => id !== undefined);
    this.engine.send({ do: "rank", ids: [...new Set([...first, ...all])] });
  }

  /** Waits for the head of a flight. A rejected flight stays on the page and shows its errors. */
  private async waitForHead(flight: ViewFlight, answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      flight.errors.value = error.errors;
      flight.state.value = "rejected";
      if (flight.name.peek() === "") flight.name.value = "description";
    }
  }

  private async applyParameters(values: Readonly<Record<string, number>>): Promise<ViewFlight | undefined> {
    const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
    const head = this.state.active.peek()?.head.peek();
    const before = head?.text ?? 'extends = "mission"\n';
    const text = `${before.trimEnd()}\n\n[autopilot.parameters]\n${lines.join("\n")}\n`;
    return this.open(text, { files: head?.files ?? {}, name: "with parameters" });
  }

  private reportFailure(title: string, error: unknown): void {
    if (error instanceof Rejection) this.report(title, error.errors);
    else this.report(title, [plainErrorOf(error)]);
  }

  private receive(message: FromWorker): void {
    if (message.is === "rejected" && message.id === undefined) {
      this.report("Something went wrong", message.errors);
      return;
    }
    if (message.is === "end") this.crashes = 0;
    this.book.receive(message);
    if (message.is === "rows") this.columns.limit();
    if (!this.state.isLive.peek()) return;
    this.playhead.goTo(Infinity);
    if (message.is === "end" && this.live.has(message.id)) this.state.isLive.value = false;
  }

  /** Sends every flight to a new worker. The page keeps the old rows until they are flown again. */
  private restore(reason: string): void {
    this.crashes += 1;
    if (this.crashes > MAX_CRASHES) {
      this.report("The engine stopped several times", [plainError(reason, "reload the page, or remove a flight")]);
      return;
    }
    this.report("The engine stopped and was started again", [
      plainError(reason, "nothing to do; nothing is lost, because all flights are flown again"),
    ]);
    for (const message of this.book.messages()) this.engine.send(message);
    this.rank();
  }
}

function plainError(what: string, fix: string): PlainError {
  return { code: "", what, fix, where: {} };
}
