/** After pauses, rewinds and branches, a session has the bits of an uninterrupted flight. */
import { describe, expect, it } from "vitest";
import { codeOf, motor } from "../../../../../tests/support/flights.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { coreRegistry, mustResolve, resolveFlight } from "../../describe/index.ts";
import { CheckpointKeeper, FlightSession, flyFlightNow } from "../index.ts";

const resolved = (spec: object) => mustResolve(resolveFlight({ file: "test", spec: spec as never }, coreRegistry));
const short = { extends: "gust", timeline: { endS: 12 } } as const;

describe("a session", () => {
  it("[L9.7] goes to any instant and ends with the bits of the flight flown in one go", () => {
    const whole = flyFlightNow(resolved(short));
    const session = FlightSession.open(short);
    expect(session.advance(3_000_500)).toBe("there");
    expect(session.nowUs).toBe(3_004_000);
    expect(session.advance()).toBe("end");
    expect(session.result().digests).toEqual(whole.digests);
    for (const tUs of [7_777_000, 0, 11_999_999, 500_000, 12_000_000, 40_000_000]) {
      session.rewindTo(tUs);
      expect(session.isOver).toBe(false);
      expect(session.nowUs).toBe(Math.min(12_000_000, Math.ceil(tUs / 4000) * 4000));
      session.advance();
      expect(session.result().digests).toEqual(whole.digests);
      expect(session.events).toEqual(whole.events);
    }
  });

  it("pauses when `hasEnough` returns true, and continues", () => {
    const session = FlightSession.open(short, { yieldEvery: 25 });
    let calls = 0;
    const hasEnough = () => (calls += 1) % 3 === 0;
    let pauses = 0;
    while (session.advance(Infinity, hasEnough) === "paused") pauses += 1;
    expect(pauses).toBeGreaterThan(30);
    expect(session.result().fingerprint).toBe(flyFlightNow(resolved(short)).fingerprint);
  });

  it("reports rows, and shows the situation at a boundary without moving", () => {
    const rows: number[] = [];
    const session = FlightSession.open(short, { onRow: (tUs) => rows.push(tUs) });
    session.advance(1_000_000);
    expect(rows).toEqual(Array.from({ length: 50 }, (_, i) => 20_000 * i));
    const situation = session.situation();
    expect(session.nowUs).toBe(1_000_000);
    expect(situation).toMatchObject({ tUs: 1_000_000, boundary: 250 });
    expect(situation.due).toContain("log");
    const logged = flyFlightNow(resolved(short)).signal("posNed").at(1);
    expect(situation.state.find(({ name }) => name === "posNed")).toMatchObject({ unit: "m", values: [...logged] });
    const autopilot = situation.signals.find(({ writer }) => writer === "autopilot")!;
    expect(autopilot.values.find(({ name }) => name === "armed")!.values).toEqual([1]);
    const memory = situation.memory.find(({ part }) => part === "autopilot")!;
    expect(memory.values.map(({ name }) => name)).toContain("rates.integral");
  });

  it("shows the last boundary after the end", () => {
    const session = FlightSession.open({ extends: "drop" });
    session.advance();
    const endUs = session.nowUs;
    expect(session.situation().tUs).toBe(endUs);
    expect(session.nowUs).toBe(endUs);
  });

  it("[L11] branches to a description from its checkpoints while it flies on", () => {
    const gust = { at: "8 s", gust: { velNedMps: [0, 6, 0] }, for: "1 s" } as const;
    const child = resolved({ ...short, scenario: [gust] });
    const session = FlightSession.open(short);
    session.advance(9_500_000);
    const branch = session.branchTo(child, 8_000_000);
    expect(branch.isGrafted).toBe(true);
    expect(branch.session.nowUs).toBe(8_000_000);
    expect(session.nowUs).toBe(9_500_000);
    branch.session.advance();
    expect(branch.session.result().digests).toEqual(flyFlightNow(child).digests);
    session.advance();
    expect(session.result().digests).toEqual(flyFlightNow(resolved(short)).digests);
  });

  it("has scouts, which start at its checkpoints and observe every boundary", () => {
    const session = FlightSession.open(short);
    session.advance();
    const times: number[] = [];
    const observer = { observe: ({ clock }: { readonly clock: { readonly us: number } }) => void times.push(clock.us) };
    const scout = session.scout({ observers: [observer], checkpointEveryUs: Infinity });
    scout.rewindTo(7_700_000);
    expect(scout.flownUs).toBe(200_000);
    times.length = 0;
    scout.advance(7_740_000);
    expect(times).toEqual(Array.from({ length: 10 }, (_, i) => 7_700_000 + 4000 * i));
    expect(session.isOver).toBe(true);
  });

  it("rejects a checkpoint of another flight, and autopilots outside the process", () => {
    const other = FlightSession.open({ ...short, seed: 99 }).save();
    expect(codeOf(() => FlightSession.open(short).load(other))).toBe("SNAPSHOT-002");
    const external = { ...motor(4000, () => 0), restore: "fly-again" as const };
    expect(codeOf(() => FlightSession.open(short, { autopilot: () => external }))).toBe("FLIGHT-032");
  });

  it("has the result of a flight that an error ended, and can be rewound before the error", () => {
    const session = FlightSession.open(
      { extends: "hover", timeline: { endS: 5 } },
      {
        autopilot: () => motor(4000, (tUs) => (tUs < 2_000_000 ? 0 : NaN)),
      },
    );
    expect(session.advance()).toBe("end");
    expect(session.result()).toMatchObject({ outcome: "failed" });
    session.rewindTo(1_000_000);
    expect(session.result().outcome).not.toBe("failed");
    session.advance();
    expect(session.result()).toMatchObject({ outcome: "failed" });
  });
});

describe("kept checkpoints", () => {
  const at = (tUs: number) => new Snapshot([{ name: "schedule", values: Float64Array.of(tUs) }]);
  const instantOf = (snapshot: Snapshot | undefined) => snapshot?.sections[0]!.values[0];

  it("are thinned in long flights, so that their number is bounded and every instant is near one", () => {
    const keeper = new CheckpointKeeper(500_000, 1200);
    let nowUs = 0;
    for (; nowUs < 36_000_000_000; nowUs = keeper.nextUs(nowUs + 1)) {
      keeper.keep(at(nowUs), nowUs);
      expect(keeper.count).toBeLessThanOrEqual(1200);
      if (nowUs === 599_500_000) expect(instantOf(keeper.before(300_400_000))).toBe(300_000_000);
    }
    for (let tUs = 0; tUs < nowUs; tUs += 12_345_678) {
      expect(tUs - instantOf(keeper.before(tUs))!).toBeLessThanOrEqual(nowUs / 600);
    }
  });

  it("are not due twice at the same instant", () => {
    const keeper = new CheckpointKeeper(500_000);
    for (const tUs of [0, 500_000, 1_500_000]) keeper.keep(at(tUs), tUs);
    expect(keeper.nextUs(0)).toBe(1_000_000);
    expect(keeper.nextUs(1_000_001)).toBe(2_000_000);
  });
});
