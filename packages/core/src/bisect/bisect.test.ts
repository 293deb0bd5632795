/** Bisection of flights with known answers: from the physics, or from an exhaustive search. */
import { describe, expect, it } from "vitest";
import { EARLY_TAKE_OFF } from "../../../../tests/support/early-take-off.ts";
import { codeOf } from "../../../../tests/support/flights.ts";
import type { PlainObject } from "../params/index.ts";
import { coreRegistry, mustResolve, resolveFlight } from "../describe/index.ts";
import { FlightSession } from "../run/index.ts";
import { bisect, type Bisection } from "./index.ts";

const resolved = (spec: PlainObject) => mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
const find = (good: PlainObject, bad: PlainObject, on: string): Bisection =>
  bisect(resolved(good), resolved(bad), { on });
const keysOf = (found: Bisection) => found.cause.map(({ key }) => key);

const hover = { extends: "hover", ...EARLY_TAKE_OFF, timeline: { endS: 11 } };
const gust = { atS: 3, forS: 3, gust: { velNedMps: [0, 9, 0] } };
const loss = { name: "worn", atS: 5, motorLoss: { motor: 2, gain: 0.5 } };

describe("a crash with several candidate causes", () => {
  const found = find(
    hover,
    {
      ...hover,
      seed: 3,
      autopilot: { parameters: { ...EARLY_TAKE_OFF.autopilot.parameters, MPC_XY_P: 1.1 } },
      scenario: [gust, loss],
    },
    "outcome",
  );

  it("has one cause", () => {
    expect([found.good.result, found.bad.result]).toEqual(["completed", "crashed"]);
    expect(found.differences).toHaveLength(4);
    expect(keysOf(found)).toEqual(["scenario.worn"]);
    expect(found.cause[0]).toMatchObject({ kind: "event", bad: { atS: 5, motorLoss: { motor: 2, gain: 0.5 } } });
  });

  it("can be prevented up to an instant, as trials at a grid of instants confirm", () => {
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    expect(point.firstKeptUs - point.lastFlipUs).toBe(4000);
    expect(point).toMatchObject({ isMixed: false, lasting: {} });
    const crashesIf = (healthyFromUs: number): boolean => {
      const heal = { atS: healthyFromUs / 1e6, motorOn: { motor: 2 } };
      const session = FlightSession.open({ ...hover, scenario: [loss, heal] } as never);
      session.advance();
      return session.result().outcome === "crashed";
    };
    const grid = [5_400_000, 6_600_000, 7_800_000, 8_400_000, point.lastFlipUs, point.firstKeptUs];
    expect(grid.map((tUs) => [tUs, crashesIf(tUs)])).toEqual(grid.map((tUs) => [tUs, tUs > point.lastFlipUs]));
  });

  it("is found with less flight time than whole flights need", () => {
    const { flights, branches, grafted, flownS, wholeS } = found.cost;
    expect(flights).toBe(2 + found.trials.length);
    expect(branches).toBeGreaterThan(8);
    expect(grafted).toBe(branches);
    expect(flownS).toBeLessThan(0.7 * wholeS);
  });
});

describe("the verdict on a requirement", () => {
  it("leads to the event that causes the violation, and to the last instant at which the requirement can still hold", () => {
    const found = find(hover, { ...hover, seed: 3, scenario: [gust, loss] }, "never climb < -3 m/s");
    expect([found.on, found.good.result, found.bad.result]).toEqual(["never climb < -3 m/s", "holds", "violated"]);
    expect(found.cost.grafted).toBe(found.cost.branches);
    expect(keysOf(found)).toEqual(["scenario.worn"]);
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    const verdictIf = (healthyFromUs: number) => {
      const heal = { atS: healthyFromUs / 1e6, motorOn: { motor: 2 } };
      const session = new FlightSession(resolved({ ...hover, scenario: [loss, heal] }), {
        require: ["never climb < -3 m/s"],
      });
      session.advance();
      return session.result().verdicts[0]?.verdict;
    };
    expect([verdictIf(point.lastFlipUs), verdictIf(point.firstKeptUs)]).toEqual(["holds", "violated"]);
  });

  it("shows an error in the requirement", () => {
    expect(() => find(hover, { ...hover, scenario: [loss] }, "never clim < -3 m/s")).toThrow(/clim/);
  });
});

describe("the cause", () => {
  it("is two differences if neither alone is enough", () => {
    const heavy = { extends: "iris", massKg: 1.9 };
    const found = find(
      hover,
      { ...hover, vehicle: heavy, seed: 2, scenario: [{ atS: 5, motorLoss: { motor: 2, gain: 0.6 } }] },
      "outcome",
    );
    expect(keysOf(found)).toEqual(["vehicle.massKg", "scenario: motorLoss"]);
    // The load can be dropped and the motor can recover in mid-air.
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    expect(point.lastFlipUs).toBeGreaterThan(5_000_000);
    expect(point.trials.find(({ atUs }) => atUs === point.firstKeptUs)!.result).toBe("crashed");
  });

  it("is an event that the bad flight lacks", () => {
    const rescue = { atS: 5.1, motorOn: { motor: 2 } };
    const short = { ...hover, timeline: { endS: 7 } };
    const fault = { atS: 5, motorOff: { motor: 2 } };
    const found = find({ ...short, scenario: [fault, rescue] }, { ...short, scenario: [fault] }, "tiltMaxDeg > 60");
    expect(found.cause).toEqual([
      { key: "scenario: motorOn", kind: "event", good: { atS: 5.1, motorOn: { motor: 2 } } },
    ]);
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    // The motor can also start a little later than it did.
    expect(point.lastFlipUs).toBeGreaterThan(5_100_000);
    expect(point.lastFlipUs).toBeLessThan(6_000_000);
  });

  it("of a different fingerprint is every difference that changes a bit of the motion", () => {
    const short = { extends: "hover", timeline: { endS: 3 } };
    const found = find(
      short,
      {
        ...short,
        seed: 2,
        timeline: { endS: 3, logPeriodS: 0.04 },
        scenario: [{ atS: 2.5, gust: { velNedMps: [1, 0, 0] } }],
      },
      "fingerprint",
    );
    expect(keysOf(found)).toEqual(["seed", "scenario: gust"]);
  });

  it("is found by a signal at an instant, without flying beyond that instant", () => {
    const wind = { atS: 3, windMean: { velNedMps: [12, 0, 0] } };
    const found = find(hover, { ...hover, seed: 4, scenario: [wind] }, "posNed.n@4.5 s > 0.5");
    expect(keysOf(found)).toEqual(["scenario: windMean"]);
    expect(found.bad.detail).toMatch(/^posNed\.n@4\.5 s = [0-9.]+ m$/);
    const { flights, branches, wholeS } = found.cost;
    expect(wholeS).toBeLessThanOrEqual(4.51 * (flights + branches));
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    expect(point.lastFlipUs).toBeGreaterThan(3_000_000);
    expect(point.lastFlipUs).toBeLessThan(4_500_000);
  });
});

describe("the point of no return", () => {
  it("of a request that cannot be undone is the request", () => {
    const found = find(hover, { ...hover, scenario: [{ atS: 3, land: {} }] }, "posNed.d@10 s > -5");
    expect(found.pointOfNoReturn).toMatchObject({
      kind: "found",
      lastFlipUs: 3_000_000,
      firstKeptUs: 3_004_000,
      lasting: { "scenario: land": expect.stringContaining("cannot be undone") as string },
    });
  });

  it("of a parameter is found by setting it back", () => {
    const short = { extends: "mission", ...EARLY_TAKE_OFF, timeline: { endS: 14 } };
    const slow = { parameters: { ...EARLY_TAKE_OFF.autopilot.parameters, MPC_XY_CRUISE: 1 } };
    const found = find(short, { ...short, autopilot: slow }, "posNed.n@13 s < 5");
    expect(keysOf(found)).toEqual(["autopilot.parameters.MPC_XY_CRUISE"]);
    expect(found.pointOfNoReturn.kind).toBe("found");
  });

  it("of a different wind is the instant of the comparison", () => {
    const calm = { extends: "hover", timeline: { endS: 6 }, wind: "none" };
    const windy = { ...calm, wind: { kind: "constant", windNedMps: [3, 0, 0] } };
    const found = find(calm, windy, "windNed.n@5 s > 1");
    expect(keysOf(found)).toEqual(["wind"]);
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    // The wind has a tick at 5 s, so a change at 5 s takes effect there.
    expect([point.lastFlipUs, point.isMixed]).toEqual([5_000_000, false]);
  });

  it("of a changed event with a name is found although both versions have the name", () => {
    const short = { ...hover, timeline: { endS: 7 } };
    const wind = (east: number) => ({ name: "front", atS: 3, windMean: { velNedMps: [0, east, 0] } });
    const found = find({ ...short, scenario: [wind(2)] }, { ...short, scenario: [wind(12)] }, "posNed.e@6 s > 0.6");
    expect(keysOf(found)).toEqual(["scenario.front"]);
    expect(found.pointOfNoReturn).toMatchObject({ kind: "found", isMixed: false });
  });

  it("does not exist for a setting that no event can change", () => {
    const drop = { extends: "drop", timeline: { endS: 1 } };
    const found = find(drop, { ...drop, environment: { origin: { altMslM: 3000 } } }, "fingerprint");
    expect(found.pointOfNoReturn).toMatchObject({ kind: "impossible", key: "environment.origin.altMslM" });
  });

  it("is not searched further if a branch is not valid, but the cause is still reported", () => {
    const short = { ...hover, timeline: { endS: 3 } };
    // A flight may change parameters fifty times. The change back would be number 51.
    const filler = Array.from({ length: 49 }, (_, i) => ({
      atS: 0.5 + i / 100,
      parameter: { name: "MPC_XY_P", value: 0.95 + (i % 2) / 100 },
    }));
    const lift = { name: "weak", atS: 2, parameter: { name: "MPC_THR_MAX", value: 0.4 } };
    const found = find({ ...short, scenario: filler }, { ...short, scenario: [...filler, lift] }, "fingerprint");
    expect(keysOf(found)).toEqual(["scenario.weak"]);
    expect(found.pointOfNoReturn).toMatchObject({ kind: "untried", why: expect.stringContaining("50") });
  });

  it("of a changed inertia is found even if the event gives it in another form", () => {
    const full = { extends: "iris", inertiaKgM2: [0.03, 0, 0, 0, 0.03, 0, 0, 0, 0.05] };
    const short = { ...hover, vehicle: full, timeline: { endS: 3 } };
    const change = { atS: 1.5, vehicle: { inertiaDiagKgM2: [2, 2, 2] } };
    const found = find(short, { ...short, scenario: [change] }, "fingerprint");
    expect(found.pointOfNoReturn.kind).toBe("found");
  });

  it("of a conditional event is searched from the time at which its condition was met", () => {
    const short = { ...hover, timeline: { endS: 7 } };
    const rule = { when: "altitudeM > 5", windMean: { velNedMps: [0, 12, 0] } };
    const found = find(short, { ...short, scenario: [rule] }, "positionErrorMaxM > 0.6");
    const { pointOfNoReturn: point } = found;
    if (point.kind !== "found") throw new Error(point.kind);
    expect(found.cost.grafted).toBe(found.cost.branches);
  });
});

describe("a component", () => {
  it("is counted from 1, as in requirements", () => {
    const good = { extends: "drop", timeline: { endS: 1 } };
    const bad = { ...good, scenario: [{ atS: 0.2, motorLoss: { motor: 2, gain: 0.5 } }] };
    const found = find(good, bad, "motorGain[2]@0.5 s < 0.9");
    expect(found.bad).toEqual({ result: "true", detail: "motorGain[2]@0.5 s = 0.5 1" });
  });
});

describe("errors", () => {
  const short = { extends: "drop", timeline: { endS: 1 } };

  it.each([
    ["crash", "BISECT-002"],
    ["posNed@0.5 s > 1", "BISECT-002"],
    ["posNed.x@0.5 s > 1", "BISECT-002"],
    ["posNed.n@soon > 1", "BISECT-002"],
    ["posNde.n@0.5 s > 1", "BISECT-002"],
    ["motorGain[0]@0.5 s > 1", "BISECT-002"],
    ["motorGain[5]@0.5 s > 1", "BISECT-002"],
    ["altitudeMax > 1", "BISECT-002"],
    ["altitudeMaxM > much", "BISECT-002"],
    ["posNed.n@2 s > 1", "BISECT-003"],
    ["outcome", "BISECT-001"],
  ])("%s is rejected with %s", (on, code) => {
    expect(codeOf(() => find(short, { ...short, seed: 2 }, on))).toBe(code);
  });
});
