/**
 * A flight whose memory cannot be saved accepts commands too, and its final description reproduces the motion of the
 * plant.
 */
import { describe, expect, it } from "vitest";
import { flyFlightNow, recordedOrThrow, Run } from "@escapement/core";
import type { EventSpec, FromWorker } from "../protocol.ts";
import { mustResolveText } from "../worker/texts.ts";
import { LiveRun } from "./live-run.ts";

const TEXT = 'extends = "hover"\n\n[timeline]\nendS = 8\n';

/** Flies the text, and sends each command after its time. */
async function flyWithCommands(commands: readonly (readonly [afterUs: number, event: EventSpec])[]) {
  const posted: FromWorker[] = [];
  const resolve = (text: string) => mustResolveText(text, {});
  const source = { name: "x", text: TEXT, files: {}, resolved: resolve(TEXT) };
  const live = new LiveRun(source, resolve, (message) => void posted.push(message));
  const left = [...commands];
  const answers: (number | string | undefined)[] = [];
  const run: Run = new Run(source.resolved, {
    yieldEvery: 50,
    record: true,
    observers: [live],
    onPause: () => {
      while (left.length > 0 && run.flight.schedule.nowUs > left[0]![0]) {
        try {
          answers.push(live.command([left.shift()![1]]));
        } catch (error) {
          answers.push((error as { readonly code?: string }).code);
        }
      }
    },
  });
  live.begin(run);
  const result = recordedOrThrow(run, await run.toEnd());
  live.end(result);
  return { answers, live, result, posted };
}

describe("commands to a flight that cannot be saved", () => {
  it("happen at the next tick, and flying the final description gives the same motion", async () => {
    const { answers, result, posted } = await flyWithCommands([
      [3_000_000, { for: "2 s", gust: { velNedMps: [0, 6, 0], shape: "one-minus-cosine" } }],
      [4_000_000, { land: {} }],
      [4_000_000, { for: "1 s", motorLoss: { motor: 2, gain: 0.9 } }],
    ]);
    for (const [i, atUs] of answers.entries()) {
      expect(Number(atUs) % 4000).toBe(0);
      expect(atUs).toBeGreaterThan(i === 0 ? 3_000_000 : 4_000_000);
    }
    const { text } = posted.filter((each) => each.is === "amended").at(-1)!.head;
    expect(text).toMatch(/gust[^]*land[^]*motorLoss/);
    expect(flyFlightNow(mustResolveText(text!, {})).digests.plant).toBe(result.digests.plant);
  });

  it("are rejected if they change parameters or settings, or come too late", async () => {
    const { answers, live, posted } = await flyWithCommands([
      [1_000_000, { parameter: { name: "MPC_XY_P", value: 0.5 } }],
      [1_000_000, { wind: { kind: "constant", windNedMps: [1, 0, 0] } }],
      [1_000_000, { motorOff: { motor: 9 } }],
    ]);
    expect(answers.slice(0, 2)).toEqual(["VIEW-009", "VIEW-009"]);
    expect(answers[2]).toMatch(/^FLIGHT-/);
    expect(() => live.command([{ land: {} }])).toThrow("the flight has ended");
    expect(posted.filter((each) => each.is === "amended").at(-1)!.head).toMatchObject({
      takesCommands: false,
      text: TEXT,
    });
  });
});
