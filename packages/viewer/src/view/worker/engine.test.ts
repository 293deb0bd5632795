/**
 * Tests the worker without a page: order, cancelling, replacement of requests, and that a branch has the same bits as
 * its text flown from the start.
 */
import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { flyFlightNow, type RecordedFlight } from "@escapement/core";
import { EARLY_TAKE_OFF_TOML } from "../../../../../tests/support/early-take-off.ts";
import type { FromWorker, ToWorker } from "../protocol.ts";
import { processorMs } from "../testing/store-in-node.ts";
import { Engine } from "./engine.ts";
import { mustResolveText } from "./texts.ts";

type Kind = FromWorker["is"];
type Message<K extends Kind> = Extract<FromWorker, { readonly is: K }>;

/** An engine that keeps the messages it posts. */
class Bench {
  readonly posted: FromWorker[] = [];
  private readonly waiting: {
    readonly fits: (message: FromWorker) => boolean;
    readonly found: (message: FromWorker) => void;
  }[] = [];
  private readonly engine = new Engine({
    post: (message) => {
      const copy = structuredClone(message);
      this.posted.push(copy);
      for (const { fits, found } of this.waiting) if (fits(copy)) found(copy);
    },
    clockMs: processorMs,
    defer: (callback) => void setImmediate(callback),
  });
  private seq = 0;

  send(message: ToWorker): void {
    this.engine.receive(structuredClone(message));
  }

  ask(message: object): number {
    this.seq += 1;
    this.send({ ...message, seq: this.seq } as ToWorker);
    return this.seq;
  }

  open(id: number, text: string): number {
    return this.ask({ do: "open", id, text, files: {}, name: "" });
  }

  branch(id: number, parent: number, edit: object): number {
    return this.ask({ do: "branch", id, parent, edit, name: "branch" });
  }

  /** Waits for the first message of a kind that fits, including those already posted. */
  until<K extends Kind>(is: K, fits: (message: Message<K>) => boolean = () => true): Promise<Message<K>> {
    const isIt = (message: FromWorker) => message.is === is && fits(message as Message<K>);
    const known = this.posted.find(isIt);
    if (known !== undefined) return Promise.resolve(known as Message<K>);
    return new Promise((resolve) => {
      this.waiting.push({ fits: isIt, found: (message) => resolve(message as Message<K>) });
    });
  }

  ofFlight<K extends Kind>(is: K, id: number): Message<K>[] {
    return this.posted.filter((message) => message.is === is && (message as { id?: number }).id === id) as Message<K>[];
  }
}

const TEXT = `extends = "mission"\n${EARLY_TAKE_OFF_TOML}[timeline]\nendS = 10\nphysicsPeriodS = 0.001\n`;
const GUST = { at: "6.004 s", for: "2 s", gust: { velNedMps: [0, 6, 0] } };
const flown = new Map<string, RecordedFlight>();
function fromStart(text: string): RecordedFlight {
  if (!flown.has(text)) flown.set(text, flyFlightNow(mustResolveText(text, {})));
  return flown.get(text)!;
}
const isOf = (id: number) => (message: { readonly id?: number }) => message.id === id;

describe("a flight that is opened", () => {
  it("is flown to its end, with every row, event and bit", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    const { end, events } = await bench.until("end");
    const whole = fromStart(TEXT);
    expect(end).toMatchObject({ fingerprint: whole.fingerprint, outcome: whole.outcome, digests: whole.digests });
    expect(events).toEqual(whole.events);
    const { head } = await bench.until("flight");
    expect(head).toMatchObject({ origin: "described", rotors: 4, autopilotPeriodUs: 4000, logPeriodUs: 20_000 });
    let rows = 0;
    for (const { fromRow, batch } of bench.ofFlight("rows", 1)) {
      expect(fromRow).toBe(rows);
      rows += batch.timesUs.length;
      expect(batch.values).toHaveLength(batch.timesUs.length * head.columns.length);
    }
    expect(rows).toBe(501);
  });

  it("is rejected if it has errors, and each error has its line", async () => {
    const bench = new Bench();
    const seq = bench.open(1, 'extends = "mission"\nseeed = 3\n[wind]\nkind = "breeze"\n');
    const { errors, id, seq: answered } = await bench.until("rejected");
    expect([answered, id]).toEqual([seq, 1]);
    expect(errors.map(({ where }) => where.line)).toEqual([2, 4]);
    expect(errors[0]!.excerpt).toMatchObject({ line: 2, text: "seeed = 3" });
  });

  it("can use files that the page sends with it", async () => {
    const bench = new Bench();
    const files = {
      "lib/base.toml": new TextEncoder().encode('extends = "mission"\nseed = 7\n[timeline]\nendS = 1\n'),
    };
    bench.ask({ do: "open", id: 1, name: "", text: 'extends = "./lib/base.toml"\n', files });
    const { head } = await bench.until("flight");
    expect(head.definition).toMatchObject({ seed: 7 });
  });
});

describe("a branch", () => {
  it("[L11] shares its parent's rows and has the bits of its text flown from the start, as does a branch of a branch", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("end", isOf(1));
    bench.branch(2, 1, { kind: "add", events: [GUST] });
    await bench.until("end", isOf(2));
    bench.branch(3, 2, { kind: "add", events: [{ at: "8 s", land: true }] });
    const last = await bench.until("end", isOf(3));
    for (const id of [2, 3]) {
      const { head, fork } = await bench.until("flight", isOf(id));
      const { end } = await bench.until("end", isOf(id));
      expect(fork).toMatchObject({ parent: id - 1, forkUs: id === 2 ? 6_004_000 : 8_000_000 });
      expect(fork!.sharedUs).toBe(fork!.forkUs);
      expect(end.fingerprint).toBe(fromStart(head.text!).fingerprint);
      expect(bench.ofFlight("rows", id)[0]!.batch.timesUs[0]).toBe(id === 2 ? 6_020_000 : 8_000_000);
    }
    expect(last.events.some(({ kind }) => kind === "gust")).toBe(true);
  });

  it("of a sweep flies only its own future: from the last checkpoint, at most 0.5 s before its fork", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    const whole = await bench.until("end", isOf(1));
    expect(whole.end.cost.flownUs).toBe(10_000_000);
    const ids = Array.from({ length: 9 }, (_, i) => 2 + i);
    for (const id of ids) {
      bench.branch(id, 1, { kind: "add", events: [{ ...GUST, gust: { velNedMps: [0, id, 0] } }] });
    }
    const ends = await Promise.all(ids.map((id) => bench.until("end", isOf(id))));
    const ownUs = 10_000_000 - 6_004_000;
    for (const { end } of ends) {
      expect(end.cost.flownUs).toBeGreaterThanOrEqual(ownUs);
      expect(end.cost.flownUs).toBeLessThanOrEqual(ownUs + 500_000);
    }
    // The futures differ, and each is sent only from its fork on.
    expect(new Set(ends.map(({ end }) => end.fingerprint)).size).toBe(9);
    for (const id of ids) {
      const rows = bench.ofFlight("rows", id).reduce((sum, { batch }) => sum + batch.timesUs.length, 0);
      expect(rows).toBe(200);
    }
  });

  it("at an instant that its parent has not reached shares the rows that exist", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    bench.branch(2, 1, { kind: "add", events: [GUST] });
    const { end } = await bench.until("end", isOf(2));
    const { head, fork } = await bench.until("flight", isOf(2));
    expect(fork!.sharedUs).toBeLessThan(6_004_000);
    expect(end.fingerprint).toBe(fromStart(head.text!).fingerprint);
    const times = bench.ofFlight("rows", 2).flatMap(({ batch }) => [...batch.timesUs]);
    expect(times[0]).toBe(Math.ceil(fork!.sharedUs / 20_000) * 20_000);
    expect(times).toHaveLength(501 - times[0]! / 20_000);
  });

  it("with different settings is flown from its start and reports why", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    bench.branch(2, 1, {
      kind: "text",
      text: TEXT.replace("endS = 10", "endS = 4").concat("[vehicle]\nmassKg = 1.6\n"),
      files: {},
    });
    const { fork } = await bench.until("flight", isOf(2));
    expect(fork).toMatchObject({ parent: 1, sharedUs: 0, whyFromStart: expect.stringContaining("more than events") });
  });

  it("can change and remove events of the text", async () => {
    const bench = new Bench();
    bench.open(1, `${TEXT}\n[[scenario]]\nat = "7 s"\nland = true\n`);
    await bench.until("end", isOf(1));
    bench.branch(2, 1, { kind: "replace", index: 0, event: { at: "8 s", hold: true } });
    bench.branch(3, 1, { kind: "remove", index: 0 });
    const [moved, without] = await Promise.all([bench.until("flight", isOf(2)), bench.until("flight", isOf(3))]);
    expect([moved.fork!.forkUs, without.fork!.forkUs]).toEqual([7_000_000, 7_000_000]);
    expect(moved.head.ownEvents).toHaveLength(1);
    expect(without.head.ownEvents).toEqual([]);
    expect(moved.head.definition!.scenario[moved.head.firstOwnEvent]).toMatchObject({ action: "hold" });
    const { end } = await bench.until("end", isOf(3));
    expect(end.fingerprint).toBe(fromStart(TEXT).fingerprint);
  });
});

describe("the engine", () => {
  it("flies the flight with the highest rank first, and stops flying a dropped flight", async () => {
    const bench = new Bench();
    bench.open(1, 'extends = "mission"\n');
    bench.open(2, TEXT);
    bench.open(3, 'extends = "mission"\n');
    bench.send({ do: "rank", ids: [2, 1] });
    await bench.until("flight", isOf(3));
    bench.send({ do: "drop", id: 3 });
    await bench.until("end", isOf(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.posted.filter(({ is }) => is === "end").map((message) => (message as Message<"end">).id)).toEqual([
      2, 1,
    ]);
    expect(bench.ofFlight("rows", 3)).toEqual([]);
  });

  it("flies only the newest of several previews", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("end");
    const ask = (speed: number) =>
      bench.ask({
        do: "preview",
        id: 1,
        atUs: 5_000_000,
        events: [{ for: "2 s", gust: { velNedMps: [0, speed, 0] } }],
        horizonUs: 3_000_000,
        columns: [0, 1, 2],
      });
    const seqs = [ask(1), ask(2), ask(3)];
    const { seq, batch } = await bench.until("preview");
    expect(seq).toBe(seqs[2]);
    expect(bench.posted.filter(({ is }) => is === "superseded")).toEqual([
      { is: "superseded", seq: seqs[0] },
      { is: "superseded", seq: seqs[1] },
    ]);
    expect([batch.timesUs[0], batch.timesUs.length]).toEqual([5_000_000, 150]);
  });

  it("previews the rows that the branch then has, bit for bit", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("end");
    const columns = [0, 7, 40];
    const atUs = 6_004_000;
    bench.ask({ do: "preview", id: 1, atUs, events: [GUST], horizonUs: 3_000_000, columns });
    const { batch } = await bench.until("preview");
    bench.branch(2, 1, { kind: "add", events: [GUST] });
    await bench.until("end", isOf(2));
    const rows = bench
      .ofFlight("rows", 2)
      .flatMap(({ batch: { timesUs, values } }) =>
        Array.from(timesUs, (tUs, row) => [tUs, ...columns.map((column) => values[column * timesUs.length + row])]),
      );
    const count = batch.timesUs.length;
    expect(count).toBe(150);
    expect(
      Array.from(batch.timesUs, (tUs, row) => [tUs, ...columns.map((_, i) => batch.values[i * count + row])]),
    ).toEqual(rows.slice(0, count));
  });

  it("computes sketches after everything else", async () => {
    const bench = new Bench();
    bench.ask({ do: "sketch", text: 'extends = "drop"\n', files: {} });
    bench.open(1, TEXT);
    const { trackNed, outcome, vehicle } = await bench.until("sketch");
    expect(bench.ofFlight("end", 1)).toHaveLength(1);
    expect(vehicle).toBe("iris");
    expect(outcome).toBe(fromStart('extends = "drop"\n').outcome);
    expect(trackNed.length).toBeGreaterThan(30);
  });
});

describe("boundaries between rows", () => {
  it("have the log's values at log ticks, bit for bit", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("end");
    const { head } = await bench.until("flight");
    const columns = head.columns.map((_, i) => i);
    bench.ask({ do: "microscope", id: 1, span: { fromUs: 4_000_000, toUs: 4_100_000 }, columns });
    const { timesUs, values } = await bench.until("microscope");
    expect([...timesUs]).toEqual(Array.from({ length: 101 }, (_, i) => 4_000_000 + 1000 * i));
    const batches = bench.ofFlight("rows", 1).map(({ batch }) => batch);
    for (let tUs = 4_000_000; tUs <= 4_100_000; tUs += 20_000) {
      const batch = batches.find((each) => each.timesUs.includes(tUs))!;
      const at = batch.timesUs.indexOf(tUs);
      for (const c of columns) {
        const exact = values[c * timesUs.length + timesUs.indexOf(tUs)]!;
        expect(Object.is(Math.fround(exact), batch.values[c * batch.timesUs.length + at])).toBe(true);
      }
    }
  });

  it("are found with their neighbours at any instant, while the flight is flown and at its end", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("rows");
    bench.ask({ do: "exact", id: 1, tUs: 1500 });
    expect(await bench.until("exact")).toMatchObject({ tUs: 2000, boundary: 2, previousUs: 1000, nextUs: 3000 });
    const { end } = await bench.until("end");
    expect(end.fingerprint).toBe(fromStart(TEXT).fingerprint);
    const last = bench.ask({ do: "exact", id: 1, tUs: 10_000_000 });
    const answer = await bench.until("exact", ({ seq }) => seq === last);
    expect(answer).toMatchObject({ tUs: 10_000_000, boundary: 10_000, previousUs: 9_999_000 });
    expect(answer.nextUs).toBeUndefined();
  });
});

describe("files", () => {
  const ask = (bench: Bench, name: string, content: string | Uint8Array) =>
    bench.ask({ do: "read", id: 9, name, file: new Blob([content as Uint8Array<ArrayBuffer>]) });

  async function saveFile(bench: Bench, as: string, more: object = {}): Promise<Uint8Array> {
    const seq = bench.ask({ do: "save", id: 1, as, ...more });
    const { blob } = await bench.until("saved", (message) => message.seq === seq);
    return new Uint8Array(await blob.arrayBuffer());
  }

  it("with a recording are read as the description that reproduces its fingerprint", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    const { end } = await bench.until("end");
    ask(bench, "flight.mcap", await saveFile(bench, "recording"));
    const { result } = await bench.until("read");
    expect(result).toMatchObject({ kind: "description", name: "flight", expected: { fingerprint: end.fingerprint } });
    bench.open(2, (result as { text: string }).text);
    const { head } = await bench.until("flight", isOf(2));
    expect(head.hash).toBe((result as { expected: { hash: string } }).expected.hash);
  });

  it("with a saved table contain only the span, and are read as rows with our signal names", async () => {
    const bench = new Bench();
    bench.open(1, TEXT);
    await bench.until("end");
    ask(bench, "part.csv", await saveFile(bench, "csv", { span: { fromUs: 2_000_000, toUs: 3_000_000 } }));
    const { result } = await bench.until("read");
    expect(result).toMatchObject({ kind: "rows", id: 9 });
    const { head } = await bench.until("flight", isOf(9));
    expect(head).toMatchObject({ origin: "log", canBranch: false, rotors: 4 });
    expect(head.columns).toContainEqual(expect.objectContaining({ signal: "posNed", component: 2, unit: "m" }));
    const [{ batch }] = bench.ofFlight("rows", 9) as [Message<"rows">];
    expect([batch.timesUs[0], batch.timesUs.length]).toEqual([2_000_000, 51]);
  });

  it("with parameters and descriptions are read; invalid missions and logs are rejected", async () => {
    const bench = new Bench();
    // A comment at the start must not make the file a CSV log.
    ask(bench, "my.params", "# Vehicle-Id Component-Id Name Value Type\n1\t1\tMPC_XY_P\t0.9\t9\n");
    expect((await bench.until("read")).result).toEqual({ kind: "parameters", values: { MPC_XY_P: Math.fround(0.9) } });
    const mission = ask(bench, "bad.plan", "{}");
    expect((await bench.until("rejected", ({ seq }) => seq === mission)).errors[0]!.where.file).toBe("bad.plan");
    const commented = `# In a gust.\n${TEXT}`;
    const text = ask(bench, "gusty.toml", commented);
    const { result } = await bench.until("read", ({ seq }) => seq === text);
    expect(result).toMatchObject({ kind: "description", name: "gusty", text: commented });
    const broken = ask(bench, "x.ulg", Uint8Array.of(0x55, 0x4c, 0x6f, 0x67, 1, 2, 3));
    expect((await bench.until("rejected", ({ seq }) => seq === broken)).errors[0]!.code).toMatch(/^LOG-/);
  });
});

describe("texts", () => {
  it("are checked, with the position of every error and the text that would correct it", async () => {
    const bench = new Bench();
    const text = 'extends = "mision"\n\n[[scenario]]\nat = "10 s"\nmotorOff = { motr = 2 }\n';
    bench.ask({ do: "check", text, files: {} });
    const { diagnostics, hash } = await bench.until("checked");
    expect(hash).toBeUndefined();
    const marked = diagnostics.map(({ from, to, replacement }) => [text.slice(from, to), replacement]);
    expect(marked).toContainEqual(['"mision"', '"mission"']);
    expect(marked).toContainEqual(["motr", "motor"]);
    bench.ask({ do: "complete", text: "[[scenario]]\nmotorO", offset: 19, files: {} });
    expect((await bench.until("offered")).offers.map(({ label }) => label)).toContain("motorOff");
    bench.ask({ do: "check", text: "seed = = 3\n", files: {} });
    const syntax = await bench.until("checked", ({ seq }) => seq === 3);
    expect(syntax.diagnostics[0]).toMatchObject({ line: 1, severity: "error" });
  });
});
