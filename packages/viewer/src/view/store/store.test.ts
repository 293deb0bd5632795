/** Tests the state of the page with messages as a worker sends them. */
import { describe, expect, it } from "vitest";
import type { FlightHead, FromWorker, ToWorker } from "../protocol.ts";
import type { WorkerPort } from "./connection.ts";
import { parseTime } from "./playhead.ts";
import { Store } from "./store.ts";

const HEAD: FlightHead = {
  name: "mission",
  origin: "described",
  text: 'extends = "mission"\n',
  files: {},
  hash: "abcdef",
  sections: {},
  columns: [{ name: "pos_ned_n_m", unit: "m", about: "", signal: "posNed", component: 0, writer: "plant" }],
  rotors: 4,
  batteries: 1,
  logPeriodUs: 20_000,
  autopilotPeriodUs: 4000,
  endUs: 10_000_000,
  ownEvents: [],
  firstOwnEvent: 0,
  canBranch: true,
};

/** Workers that keep the messages they receive, and send those that the test chooses. */
class Ports {
  readonly sent: ToWorker[] = [];
  readonly ports: { deliver: (message: FromWorker) => void; crash: (reason: string) => void }[] = [];

  readonly start = (): WorkerPort => ({
    post: (message) => void this.sent.push(message),
    listen: (deliver, crash) => void this.ports.push({ deliver, crash }),
    terminate: () => {},
  });

  get deliver() {
    return this.ports.at(-1)!.deliver;
  }

  last<K extends ToWorker["do"]>(kind: K): Extract<ToWorker, { do: K }> {
    return this.sent.filter((message) => message.do === kind).at(-1) as Extract<ToWorker, { do: K }>;
  }
}

const seqOf = (message: ToWorker) => ("seq" in message ? message.seq : -1);

function rows(id: number, fromRow: number, count: number, value = 0): FromWorker {
  const timesUs = Float64Array.from({ length: count }, (_, i) => (fromRow + i) * 20_000);
  const values = Float32Array.from(timesUs, (_, i) => value + fromRow + i);
  return { is: "rows", id, fromRow, batch: { timesUs, values }, flownUs: timesUs.at(-1)! };
}

async function withFlight() {
  const ports = new Ports();
  const store = new Store({ startWorker: ports.start });
  const opened = store.openBuiltIn("mission");
  ports.deliver({ is: "flight", seq: seqOf(ports.last("open")), id: 1, head: HEAD });
  ports.deliver(rows(1, 0, 500));
  await opened;
  return { ports, store, root: store.state.active.peek()! };
}

async function injectGust(ports: Ports, store: Store) {
  const id = store.state.flights.peek().length + 1;
  const branching = store.inject([{ gust: { velNedMps: [0, 9, 0] } }], "gust");
  const { seq } = ports.last("branch");
  const fork = { parent: 1, forkUs: 2_000_000, sharedUs: 2_000_000 };
  ports.deliver({ is: "flight", seq, id, fork, head: { ...HEAD, hash: `child${id}` } });
  ports.deliver({ ...rows(id, 0, 10, 1000), is: "rows" } as FromWorker);
  return (await branching)!;
}

describe("flights", () => {
  it("appear immediately, and a branch has its parent's rows", async () => {
    const { ports, store, root } = await withFlight();
    expect(root.rowCount.peek()).toBe(500);
    store.playhead.goTo(2_000_000);
    const child = await injectGust(ports, store);
    expect(store.state.activeId.peek()).toBe(child.id);
    expect(store.state.referenceId.peek()).toBe(root.id);
    expect(child.rowCount.peek()).toBe(110);
    expect([99, 100].map((row) => child.rows.peek().value(0, row))).toEqual([99, 1000]);
  });

  it("that were removed are restored by undo, and branches stay without their parent", async () => {
    const { ports, store, root } = await withFlight();
    const child = await injectGust(ports, store);
    store.remove(root.id);
    expect(store.state.flights.peek()).toEqual([child]);
    expect(child.rows.peek().value(0, 0)).toBe(0);
    store.history.undo();
    expect(store.state.flights.peek()).toEqual([root, child]);
    store.history.undo();
    expect([store.state.flights.peek(), store.state.activeId.peek()]).toEqual([[root], root.id]);
    store.history.redo();
    expect(store.state.flights.peek()).toEqual([root, child]);
    expect(ports.sent.some((message) => message.do === "drop")).toBe(false);
  });

  it("that can no longer be restored are dropped by the worker", async () => {
    const { ports, store } = await withFlight();
    await injectGust(ports, store);
    store.history.undo();
    store.rename(1, "first");
    expect(ports.last("drop")).toEqual({ do: "drop", id: 2 });
  });

  it("with errors stay on the page and show the errors", async () => {
    const { ports, store } = await withFlight();
    const opening = store.open("wind = 3\n");
    const errors = [{ code: "FLIGHT-001", what: "wrong", fix: "do it", where: {} }];
    ports.deliver({ is: "rejected", seq: seqOf(ports.last("open")), id: 2, errors });
    const flight = await opening;
    expect([flight.state.peek(), flight.errors.peek()]).toEqual(["rejected", errors]);
  });

  it("are verified against the fingerprint of a link", async () => {
    const { ports, store } = await withFlight();
    const expected = { fingerprint: "fp1:a", hash: "abc", sections: { wind: "1", vehicle: "2" }, version: "0.1.0" };
    const opening = store.open("", { expected });
    const sections = { wind: "1", vehicle: "3" };
    const head = (hash: string): FromWorker => ({
      is: "flight",
      seq: seqOf(ports.last("open")),
      id: 2,
      head: { ...HEAD, hash, sections },
    });
    ports.deliver(head("other"));
    const flight = await opening;
    expect(flight.verification.peek()).toMatchObject({ is: "other flight", sections: ["vehicle"] });
    ports.deliver(head("abcdef"));
    expect(flight.verification.peek()).toEqual({ is: "pending" });
    const end = (fingerprint: string) =>
      ({ is: "end", id: 2, events: [], end: { fingerprint, endUs: 1 } }) as unknown as FromWorker;
    ports.deliver(end("fp1:a"));
    expect(flight.verification.peek()).toEqual({ is: "same" });
    ports.deliver(end("fp1:b"));
    expect(flight.verification.peek()).toMatchObject({ is: "different bits" });
  });
});

describe("previews while the pointer is dragged", () => {
  const ask = (store: Store, speed: number) => store.preview([{ gust: { velNedMps: [0, speed, 0] } }], 2_000_000);
  const asked = (ports: Ports) => ports.sent.filter((message) => message.do === "preview");
  /** Answers the newest question with a future of one row. */
  const answer = async (ports: Ports, value: number) => {
    const batch = { timesUs: Float64Array.of(2_000_000), values: new Float32Array(7).fill(value) };
    ports.deliver({ is: "preview", seq: seqOf(ports.last("preview")), id: 1, batch });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const shown = (store: Store) => store.state.preview.peek()?.values[0];

  it("are flown and shown for every move if the worker keeps up", async () => {
    const { ports, store } = await withFlight();
    for (let move = 1; move <= 20; move += 1) {
      ask(store, move);
      await answer(ports, move);
      expect([asked(ports).length, shown(store)]).toEqual([move, move]);
    }
  });

  it("follow the newest move if the worker is slower: one is flown, one waits, and none is flown in vain", async () => {
    const { ports, store } = await withFlight();
    let newest = 0;
    for (let flown = 1; flown <= 8; flown += 1) {
      // Five moves per preview.
      for (let i = 0; i < 5; i += 1) ask(store, (newest += 1));
      expect(asked(ports)).toHaveLength(flown);
      await answer(ports, flown);
      expect(shown(store)).toBe(flown);
      expect(ports.last("preview").events).toEqual([{ gust: { velNedMps: [0, newest, 0] } }]);
    }
  });

  it("are not shown after the drag, and the next drag begins with its own previews", async () => {
    const { ports, store } = await withFlight();
    ask(store, 1);
    ask(store, 2);
    store.preview(undefined);
    await answer(ports, 1);
    expect([asked(ports).length, shown(store)]).toEqual([1, undefined]);
    ask(store, 3);
    store.preview(undefined);
    ask(store, 4);
    await answer(ports, 3);
    expect(shown(store)).toBeUndefined();
    await answer(ports, 4);
    expect([asked(ports).length, shown(store)]).toEqual([3, 4]);
  });
});

describe("a crash of the worker", () => {
  it("opens all flights again in a new worker, and shows the old rows until there are as many", async () => {
    const { ports, store, root } = await withFlight();
    const child = await injectGust(ports, store);
    ports.sent.length = 0;
    ports.ports[0]!.crash("out of memory");
    expect(ports.sent.map((message) => message.do)).toEqual(["open", "branch", "rank"]);
    expect(ports.last("branch").edit).toMatchObject({ kind: "text" });
    expect(store.state.troubles.peek()).toHaveLength(1);
    ports.deliver({ is: "flight", seq: 0, id: 1, head: HEAD });
    ports.deliver(rows(1, 0, 100, 5000));
    expect([root.rowCount.peek(), root.rows.peek().value(0, 0)]).toEqual([500, 0]);
    ports.deliver(rows(1, 100, 400, 5000));
    expect([root.rowCount.peek(), root.rows.peek().value(0, 0)]).toEqual([500, 5000]);
    expect(child.rowCount.peek()).toBe(110);
  });

  it("continues a flight by hand with its movements, and ends it if the pilot had ended it", async () => {
    const { ports, store } = await withFlight();
    const started = store.flyByHand(2_000_000, false);
    const { seq, id } = ports.last("by-hand");
    const head = { ...HEAD, canBranch: false };
    ports.deliver({ is: "flight", seq, id, head, fork: { parent: 1, forkUs: 2_000_000, sharedUs: 2_000_000 } });
    const flight = (await started)!;
    const move = { tUs: 2_004_000, sticks: [0, 0.6, 0, 0] } as const;
    ports.deliver({ is: "moved", id, move });
    ports.deliver(rows(id, 0, 10));
    ports.sent.length = 0;
    ports.ports[0]!.crash("out of memory");
    const again = { parent: 1, atUs: 2_000_000, flown: { moves: [move], untilUs: 2_000_000 } };
    expect(ports.last("by-hand")).toMatchObject({ id, ...again });
    expect(ports.sent.some((message) => message.do === "release")).toBe(false);
    void store.release(flight, "land");
    ports.sent.length = 0;
    ports.ports.at(-1)!.crash("again");
    expect(ports.sent.map((message) => message.do)).toEqual(["open", "by-hand", "release", "rank"]);
    ports.deliver({ is: "flight", seq: 0, id, head: HEAD });
    expect(flight.hand).toBeUndefined();
  });

  it("restarts the worker only three times", async () => {
    const { ports } = await withFlight();
    for (let i = 0; i < 4; i += 1) ports.ports.at(-1)!.crash("again");
    expect(ports.ports).toHaveLength(4);
  });
});

describe("the playhead", () => {
  it("stays within the flown time", async () => {
    const { store } = await withFlight();
    store.playhead.goTo(99e6);
    expect(store.state.nowUs.peek()).toBe(499 * 20_000);
    store.playhead.goTo(-5);
    expect(store.state.nowUs.peek()).toBe(0);
  });

  it("plays at the chosen pace, waits at the end of the flown time, and does not jump after a pause of the page", async () => {
    const { store } = await withFlight();
    const { playhead, state } = store;
    playhead.play();
    state.pace.value = 1 / 32;
    for (let ms = 0; ms <= 160; ms += 16) playhead.tick(1000 + ms);
    expect(state.nowUs.peek()).toBe(5000);
    // A long pause is limited to 250 ms of wall time, here at a pace of 1/32.
    playhead.tick(9000);
    expect(state.nowUs.peek()).toBe(12_813);
    state.pace.value = 16;
    for (let ms = 0; ms <= 2000; ms += 16) playhead.tick(9000 + ms);
    expect([state.nowUs.peek(), state.isPlaying.peek()]).toEqual([499 * 20_000, true]);
  });

  it("takes 5 s to play 5 s of the flight at pace 1, even with irregular frames", async () => {
    const { store } = await withFlight();
    const { playhead, state } = store;
    playhead.goTo(1_000_000);
    playhead.play();
    // Frames at 60 Hz, some of them late and some missing, for 5 s.
    const lateMs = [0, 3.2, 0.4, 16.1, 0, 7.7];
    playhead.tick(100);
    for (let i = 1; i < 300; i += 1) if (i % 7 !== 0) playhead.tick(100 + (i * 1000) / 60 + lateMs[i % 6]!);
    playhead.tick(5100);
    expect(state.nowUs.peek()).toBe(6_000_000);
  });

  it("steps by rows and by ticks, with 250 ticks per second", async () => {
    const { store } = await withFlight();
    for (let i = 0; i < 250; i += 1) await store.playhead.step(1, "tick");
    expect(store.state.nowUs.peek()).toBe(1_000_000);
    await store.playhead.step(-1, "row");
    expect(store.state.nowUs.peek()).toBe(980_000);
    await store.playhead.step(1, "row");
    await store.playhead.step(-1, "tick");
    expect(store.state.nowUs.peek()).toBe(996_000);
  });

  it.each([
    ["24.004", 24_004_000],
    ["24 s", 24_000_000],
    ["1:12.5", 72_500_000],
    ["+3", 13_000_000],
    ["-0.5", 9_500_000],
    ["-99", 0],
    ["soon", undefined],
  ])("reads %s", (text, tUs) => {
    expect(parseTime(text, 10_000_000)).toBe(tUs);
  });
});
