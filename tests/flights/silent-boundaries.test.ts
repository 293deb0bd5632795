/**
 * Boundaries that nobody is shown are passed in one go. Whoever looks at all of them forbids that: the same flight with and
 * without an onlooker has the same bits, the same counts and the same pauses.
 */
import { describe, expect, it } from "vitest";
import {
  assemble,
  coreRegistry,
  type Flight,
  type FlightEnd,
  fly,
  mustResolve,
  type Observer,
  type PlainObject,
  resolveFlight,
} from "@escapement/core";

const onlooker: Observer = { observe: () => {}, save: () => {}, load: () => {} };

/** Every row of the log, as it was when it was written. */
class Rows {
  readonly neverFull = true;
  readonly isFull = false;
  readonly kept: number[][] = [];
  open(): void {}
  row(tUs: number, row: ArrayLike<number>): void {
    this.kept.push([tUs, ...Array.from(row)]);
  }
  async drain(): Promise<void> {}
  async close(): Promise<void> {}
}

interface Flown {
  readonly end: FlightEnd;
  readonly x: readonly number[];
  readonly rows: readonly number[][];
  readonly pausesUs: readonly number[];
  readonly events: unknown;
  readonly extremes: unknown;
  /** Intervals that were made in one go with others. */
  readonly passed: number;
}

function made(spec: PlainObject, isWatched: boolean) {
  const { definition } = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
  const rows = new Rows();
  const observers = isWatched ? [onlooker] : [];
  const assembled = assemble(definition, coreRegistry, { fingerprint: "none", sinks: [rows], observers });
  const { integrator } = assembled.flight;
  const passed = { count: 0 };
  const { glide } = integrator;
  if (glide !== undefined) {
    const counted: typeof glide = (span, x, count) => {
      const intervals = glide.call(integrator, span, x, count);
      passed.count += intervals;
      return intervals;
    };
    Object.defineProperty(integrator, "glide", { value: counted });
  }
  return { ...assembled, rows, passed };
}

function run(flight: Flight, breathEvery: number): { end: FlightEnd; pausesUs: number[] } {
  const loop = fly(flight, { breathEvery });
  const pausesUs: number[] = [];
  for (;;) {
    const step = loop.next();
    if (step.done === true) return { end: step.value, pausesUs };
    pausesUs.push(flight.schedule.nowUs);
  }
}

function flown(spec: PlainObject, isWatched: boolean, breathEvery = 4096): Flown {
  const { flight, rows, summary, passed } = made(spec, isWatched);
  const { end, pausesUs } = run(flight, breathEvery);
  const { events } = summary;
  return {
    end,
    x: [...flight.x],
    rows: rows.kept,
    pausesUs,
    events,
    extremes: summary.extremes(),
    passed: passed.count,
  };
}

const reference = { vehicle: "iris-reference" };
/** A condition that opens a window inserts its end: one boundary ahead, on no axis. */
const windowed = [{ when: "armed == 1", forS: 30.0005, gust: { velNedMps: [1, 0, 0] } }];
const FLIGHTS: readonly (readonly [string, PlainObject, boolean])[] = [
  ["from take-off to landing", { extends: "mission", ...reference }, true],
  ["with a boundary inserted far ahead", { extends: "mission", ...reference, scenario: windowed }, true],
  ["the iris", { extends: "mission", timeline: { endS: 20 } }, true],
  ["forward Euler", { extends: "hover", ...reference, integrator: "euler" }, true],
  ["steps within steps", { extends: "hover", ...reference, integrator: { kind: "rk4", substepUs: 300 } }, false],
  ["under error control", { extends: "hover", ...reference, integrator: "rk45" }, false],
  ["a fall onto the ground", { extends: "drop" }, false],
];

describe.each(FLIGHTS)("%s", (_name, spec, isPassed) => {
  it("is the same flight whether somebody looks or not", () => {
    const [alone, watched] = [flown(spec, false), flown(spec, true)];
    expect(watched.passed).toBe(0);
    if (isPassed) expect(alone.passed).toBeGreaterThan(0.5 * alone.end.intervals);
    expect({ ...alone, passed: 0 }).toEqual(watched);
  });
});

describe("pauses", () => {
  const spec = { extends: "hover", ...reference, timeline: { endS: 8 } };

  it.each([1, 2, 3, 7, 250])("a breath every %i boundaries falls where it falls", (breathEvery) => {
    const [alone, watched] = [flown(spec, false, breathEvery), flown(spec, true, breathEvery)];
    expect(alone.pausesUs).toEqual(watched.pausesUs);
    expect(alone.x).toEqual(watched.x);
    if (breathEvery > 2) expect(alone.passed).toBeGreaterThan(0);
  });

  it("a flight saved at a pause in the middle goes on as it would have", () => {
    const whole = flown(spec, false, 70);
    const { flight } = made(spec, false);
    const loop = fly(flight, { breathEvery: 70 });
    for (let i = 0; i < 100; i += 1) loop.next();
    const snapshot = flight.save();
    const other = made(spec, false);
    other.flight.load(snapshot);
    const { end } = run(other.flight, 70);
    expect([...other.flight.x]).toEqual(whole.x);
    // Statistics of an integrator are of its own work.
    expect({ ...end, stats: {} }).toEqual({ ...whole.end, stats: {} });
    expect(other.passed.count).toBeGreaterThan(0);
  });
});

describe("marks", () => {
  it("are asked for at every boundary", () => {
    const { flight, passed } = made({ extends: "hover", ...reference, timeline: { endS: 1 } }, false);
    const asked: number[] = [];
    const loop = fly(flight, { isMarked: (tUs) => asked.push(tUs) < 0 });
    while (loop.next().done !== true);
    expect(asked).toEqual(Array.from({ length: 1001 }, (_, i) => 1000 * i));
    expect(passed.count).toBe(0);
  });
});
