/** The driver of every flight: pace, pauses, stop, failure. */
import { describe, expect, it } from "vitest";
import type { Sink } from "../engine/index.ts";
import { coreRegistry } from "../describe/registry.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import { flightErrors } from "../describe/errors.ts";
import { Run, type RunOptions } from "./run.ts";

const resolved = mustResolve(
  resolveFlight({ file: "flight", spec: { vehicle: "iris", wind: "none", timeline: { endS: 2 } } }, coreRegistry),
);
const run = (options: RunOptions = {}) => new Run(resolved, { yieldEvery: 25, ...options });

describe("a run", () => {
  it("has the same bits with pauses, with pacing, in one go and pause by pause", async () => {
    const whole = run().toEndNow().result;
    const pauses: string[] = [];
    const paused = await run({ onPause: (pause) => void pauses.push(pause) }).toEnd();
    const clock = { nowMs: () => 0, sleep: () => Promise.resolve() };
    const paced = await run({ pace: { factor: 1, clock } }).toEnd();
    const stepped = run();
    let steps = 0;
    while (stepped.toNextPause() !== "end") steps += 1;
    expect(pauses.length).toBeGreaterThan(5);
    expect(steps).toBe(pauses.length);
    expect(new Set(pauses)).toEqual(new Set(["yield"]));
    for (const { fingerprint } of [paused.result, paced.result, stepped.result()])
      expect(fingerprint).toBe(whole.fingerprint);
  });

  it("is paced by the clock that the caller passes", async () => {
    let nowMs = 0;
    const clock = {
      nowMs: () => nowMs,
      sleep: (ms: number) => {
        nowMs += ms;
        return Promise.resolve();
      },
    };
    await new Run(resolved, { pace: { factor: 2, clock } }).toEnd();
    expect(nowMs).toBeGreaterThan(900);
    expect(nowMs).toBeLessThan(1010);
  });

  it("ends at the pause after the abort signal, which is not a failure", async () => {
    const signal = { aborted: false };
    const stopped = run({ signal, onPause: () => void (signal.aborted = true) });
    const { result, failure } = await stopped.toEnd();
    expect(failure).toBeUndefined();
    expect(result.end.endUs).toBeLessThan(2e6);
    expect(result.end.endUs).toBeGreaterThan(0);
  });

  it("returns a typed error with the result up to it, throws any other error, and closes the sinks in both cases", async () => {
    const failing = (error: Error) => {
      let closed = 0;
      const sink: Sink = {
        neverFull: true,
        isFull: false,
        open: () => {},
        row: (tUs) => {
          if (tUs >= 1e6) throw error;
        },
        drain: () => Promise.resolve(),
        close: () => Promise.resolve(void (closed += 1)),
      };
      return { run: run({ sinks: [sink] }), closed: () => closed };
    };
    const typed = failing(flightErrors.notStepping({ what: "it broke\nin detail", fix: "none" }));
    const { result, failure } = await typed.run.toEnd();
    expect(failure?.where.tUs).toBe(1e6);
    expect([result.outcome, result.reason, result.end.endUs]).toEqual(["failed", "it broke", 1e6]);
    const defect = new TypeError("a defect");
    const broken = failing(defect);
    await expect(broken.run.toEnd()).rejects.toBe(defect);
    expect([typed.closed(), broken.closed()]).toEqual([1, 1]);
  });
});
