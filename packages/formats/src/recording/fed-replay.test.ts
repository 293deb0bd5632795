/**
 * A replay that reads the recording while it flies has the same result as a replay from memory, and reads one chunk
 * ahead.
 */
import { describe, expect, it } from "vitest";
import {
  coreRegistry,
  differenceGrowth,
  differencesBetween,
  judgeRecording,
  mustResolve,
  type PlainObject,
  type Recording,
  recordingUntil,
  type ReplayFlightOptions,
  replayFlight,
  resolveFlight,
  Run,
} from "@escapement/core";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import { openRecordingWriter, openRecordingStream, readRecording } from "./index.ts";

const SPEC: PlainObject = {
  extends: "mission",
  timeline: { endS: 4 },
  sensors: { imu: true, gnss: true },
  scenario: [{ at: "1.003 s", gust: { velNedMps: [3, 0, 0] }, forS: 0.5 }],
};

/** Flies and returns the recording in memory, and the file that the writer made. */
async function recordFlight(
  spec: PlainObject = SPEC,
): Promise<{ readonly recording: Recording; readonly bytes: Uint8Array }> {
  const resolved = mustResolve(resolveFlight({ file: "fed", spec }, coreRegistry));
  const memory = new MemoryBytes();
  const options = { resolved: resolved.definition, resolvedHash: resolved.hash, chunkBytes: 20_000 };
  const writer = await openRecordingWriter(memory, options);
  const run = new Run(resolved, { record: true, sinks: [writer], observers: [writer] });
  const { plant, fingerprint } = run.assembled;
  const digests = () => fingerprint!.result();
  const plantDigest = () => digests().plant;
  writer.prepare({ dims: plant.dims, stateBlocks: plant.layout.blocks, digests, plantDigest });
  await run.toEnd();
  return { recording: run.recorded().recording, bytes: memory.bytes() };
}

describe("a replay that is fed from a file", () => {
  it.each<[string, ReplayFlightOptions]>([
    ["open loop", {}],
    ["with the scenario live, which inserts boundaries again", { live: ["scenario"] }],
    ["with the loop closed", { live: ["sensors", "estimator", "autopilot"] }],
    ["with another integrator", { integrator: { kind: "rk4", version: 1, params: { substepUs: 2000 } } }],
  ])("has the bits of a replay from memory: %s", async (_, options) => {
    const { recording, bytes } = await recordFlight();
    const stream = await openRecordingStream(bytes);
    const marks = { marks: stream.perSecond };
    const { end, ...fed } = replayFlight(stream.fed(), { ...options, ...marks });
    const { end: endOfWhole, ...whole } = replayFlight(recording, { ...options, ...marks });
    expect(fed).toEqual(whole);
    expect([end.endUs, end.boundaries]).toEqual([endOfWhole.endUs, endOfWhole.boundaries]);
  });

  it("verifies every whole second of a file that was cut short", async () => {
    const { bytes } = await recordFlight();
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6));
    const stream = await openRecordingStream(cut);
    expect(stream.missing).toBeDefined();
    expect(stream.perSecond).toEqual((await readRecording(cut)).perSecond);
    expect(stream.perSecond.length).toBeGreaterThan(1);
    const { reproduces, differsUs } = replayFlight(stream.fed(), { marks: stream.perSecond });
    expect({ reproduces, differsUs }).toEqual({ reproduces: true, differsUs: undefined });
  });

  it("gives the verdicts of the flight", async () => {
    const { recording, bytes } = await recordFlight();
    const texts = ["never tilt > 5 deg", "always altitude < 100 m"];
    const stream = await openRecordingStream(bytes);
    expect(judgeRecording(stream.fed(), texts)).toEqual(judgeRecording(recording, texts));
  });

  it("reads the file while it flies", async () => {
    const { bytes } = await recordFlight();
    let readTo = 0;
    const source = {
      size: bytes.length,
      read: (offset: number, length: number) => {
        readTo = offset + length;
        return bytes.slice(offset, offset + length);
      },
    };
    const stream = await openRecordingStream(source);
    readTo = 0;
    const feed = stream.fed().openFeed();
    const positions = [0, 1e6, 2e6, 3e6, 4e6].map((tUs) => {
      feed.advanceTo(tUs);
      return readTo / bytes.length;
    });
    expect(positions[0]).toBeLessThan(0.2);
    expect(positions[2]).toBeGreaterThan(positions[1]!);
    expect(positions[2]).toBeLessThan(0.75);
  });

  it("rejects saving, because the file is read only forward", async () => {
    const { bytes } = await recordFlight();
    const stream = await openRecordingStream(bytes);
    const resolved = mustResolve(resolveFlight({ file: "fed", spec: SPEC }, coreRegistry));
    const run = new Run(resolved, { replay: { recording: stream.fed(), live: [] } });
    expect(run.flight.isSaveable).toBe(false);
  });
});

describe("a recording that is read piece by piece", () => {
  it.each<[string, PlainObject]>([
    ["itself", SPEC],
    ["another seed", { ...SPEC, seed: 2 }],
    ["a flight that ends earlier", { ...SPEC, timeline: { endS: 3 } }],
    ["a flight with another event", { ...SPEC, scenario: [{ at: "2.0001 s", motorLoss: { motor: 1, gain: 0.9 } }] }],
    ["another vehicle", { ...SPEC, vehicle: "hexa" }],
  ])("has the same differences from %s as when both are in memory", async (_, spec) => {
    const [a, b] = [await recordFlight(), await recordFlight(spec)];
    const [fedA, fedB] = [(await openRecordingStream(a.bytes)).fed(), (await openRecordingStream(b.bytes)).fed()];
    const found = differencesBetween(fedA, fedB);
    expect(found).toEqual(differencesBetween(a.recording, b.recording));
    const { tUs } = found.firstSignal ?? { tUs: 0 };
    if (found.first?.stage !== "vehicle") {
      expect(differenceGrowth(fedA, fedB, tUs)).toEqual(differenceGrowth(a.recording, b.recording, tUs));
    }
  });

  it.each([0, 1.5, 4])("is read into memory up to %f s", async (untilS) => {
    const { bytes } = await recordFlight();
    const part = await (await openRecordingStream(bytes)).until(untilS * 1e6);
    expect(part).toEqual(recordingUntil((await readRecording(bytes)).recording, untilS * 1e6));
  });
});
