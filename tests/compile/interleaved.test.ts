/**
 * Flights that share one kernel run interleaved, with different parameters and methods, and with saves and loads in
 * between. Each has the same bits as when it runs alone.
 */
import { describe, expect, it } from "vitest";
import {
  assemble,
  type AssembledFlight,
  coreRegistry,
  flightLoop,
  mustResolve,
  type PlainObject,
  type ResolvedFlight,
  resolveFlight,
} from "@escapement/core";

const short: PlainObject = { extends: "mission", timeline: { endS: 2.5 } };
const free: PlainObject = { extends: "mission", timeline: { endS: 2.5, physicsPeriodS: 0 } };
const heavy = { extends: "iris", massKg: 1.7 };

const specs: Readonly<Record<string, PlainObject>> = {
  iris: short,
  "a heavier iris": { ...short, vehicle: heavy },
  "another method": { ...free, integrator: "rk45" },
  "a heavier iris and another method": { ...free, vehicle: heavy, integrator: "rk45" },
  rk23: { ...free, integrator: "rk23" },
  "another seed": { ...short, seed: 7 },
};

function resolve(spec: PlainObject): ResolvedFlight {
  return mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
}

function digestsOf({ fingerprint, flight }: AssembledFlight): object {
  return { ...fingerprint!.result(), code: flight.code };
}

/** Flies alone, on the reference. */
function alone(flight: ResolvedFlight): object {
  const assembled = assemble(flight.definition, coreRegistry, { codegen: false });
  for (const pause of flightLoop(assembled.flight)) void pause;
  return { ...digestsOf(assembled), code: "compiled" };
}

type Loop = ReturnType<typeof flightLoop>;

/** Runs a few boundaries of each flight in turn until all have ended. */
function takeTurns(loops: readonly Loop[]): void {
  let open = [...loops];
  while (open.length > 0) open = open.filter((loop) => loop.next().done !== true);
}

const all = Object.entries(specs).map(([name, spec]) => ({ name, flight: resolve(spec) }));
const expected = all.map(({ flight }) => alone(flight));

describe("interleaved flights match flights run alone", () => {
  it.each([1, 3, 50])("taking turns every %i boundaries", (yieldEvery) => {
    const assembled = all.map(({ flight }) => assemble(flight.definition, coreRegistry));
    takeTurns(assembled.map(({ flight }) => flightLoop(flight, { yieldEvery })));
    expect(assembled.map(digestsOf)).toEqual(expected);
  });

  it("when assembled while others fly", () => {
    const started: AssembledFlight[] = [];
    const loops: Loop[] = [];
    for (const { flight } of all) {
      const assembled = assemble(flight.definition, coreRegistry);
      started.push(assembled);
      loops.push(flightLoop(assembled.flight, { yieldEvery: 40 }));
      for (const loop of loops) loop.next();
    }
    takeTurns(loops);
    expect(started.map(digestsOf)).toEqual(expected);
  });

  it("when resumed from checkpoints, each twice", () => {
    const resumed = all.flatMap(({ flight }) => {
      const first = assemble(flight.definition, coreRegistry);
      const loop = flightLoop(first.flight, { markUs: Float64Array.of(1_000_000) });
      expect(loop.next().value).toBe("mark");
      const snapshot = first.flight.save();
      return [0, 1].map(() => {
        const again = assemble(flight.definition, coreRegistry);
        again.flight.load(snapshot);
        return again;
      });
    });
    takeTurns(resumed.map(({ flight }) => flightLoop(flight, { yieldEvery: 5 })));
    expect(resumed.map(digestsOf)).toEqual(expected.flatMap((each) => [each, each]));
  });

  it("when one of the flights fails", () => {
    const failing = assemble(resolve({ ...short, scenario: [] }).definition, coreRegistry, {
      autopilot: ({ periodUs }) => ({
        writer: "autopilot",
        axis: { kind: "periodic", startUs: 0, periodUs } as never,
        update: (clock, bus) => {
          bus.motorCommand[0] = clock.us > 500_000 ? NaN : 0.5;
        },
        save: () => {},
        load: () => {},
      }),
    });
    const others = all.map(({ flight }) => assemble(flight.definition, coreRegistry));
    const bad = flightLoop(failing.flight, { yieldEvery: 10 });
    const loops = others.map(({ flight }) => flightLoop(flight, { yieldEvery: 10 }));
    let hasFailed = false;
    for (let turn = 0; turn < 400; turn += 1) {
      for (const loop of loops) loop.next();
      try {
        bad.next();
      } catch {
        hasFailed = true;
      }
    }
    takeTurns(loops);
    expect(hasFailed).toBe(true);
    expect(others.map(digestsOf)).toEqual(expected);
  });
});
