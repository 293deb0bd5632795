/** The overview of a recording has the same facts as the whole file, but reads only a small part of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { flyFlightNow, mustResolve, type Recording, resolveFlight, coreRegistry } from "@escapement/core";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";
import { encodeRecording, readRecordingOverview } from "./index.ts";

describe("an overview", () => {
  let recording: Recording;
  let bytes: Uint8Array;

  beforeAll(async () => {
    const spec = { extends: "mission", scenario: [{ atS: 20, motorOff: { motor: 2 } }] };
    ({ recording } = flyFlightNow(mustResolve(resolveFlight({ file: "overview", spec }, coreRegistry))));
    const sink = new MemoryBytes();
    await encodeRecording(sink, recording);
    bytes = sink.bytes();
  });

  it("has the flight, the end, the stop and the fingerprint, and skips most of the file", async () => {
    let count = 0;
    const { size, read } = sourceOf(bytes);
    const counted: ByteSource = {
      size,
      read: (at, length) => {
        count += length;
        return read(at, length);
      },
    };
    const overview = await readRecordingOverview(counted);
    expect(overview).toMatchObject({
      definition: recording.resolved,
      hash: recording.resolvedHash,
      plant: recording.digests.plant,
      endUs: recording.endUs,
      isComplete: true,
    });
    expect(overview.definition.scenario[overview.stop - 1]!.params).toMatchObject({ outcome: "crashed" });
    expect(count).toBeLessThan(bytes.length / 3);
  });

  it("of a file that was cut short has the last complete boundary and no fingerprint", async () => {
    const cut = await readRecordingOverview(bytes.subarray(0, bytes.length / 2));
    expect(cut).toMatchObject({ isComplete: false, plant: "", stop: 0 });
    expect(cut.endUs).toBeGreaterThan(5e6);
    expect(cut.endUs).toBeLessThan(recording.endUs);
  });

  it("rejects other files, and damage in the parts that it reads", async () => {
    const other = new TextEncoder().encode("this is not a recording");
    await expect(readRecordingOverview(other)).rejects.toMatchObject({ code: "RECORDING-001" });
    const damaged = bytes.slice();
    damaged[400]! ^= 1;
    await expect(readRecordingOverview(damaged)).rejects.toMatchObject({ code: "RECORDING-002" });
    await expect(readRecordingOverview(new Uint8Array(0))).rejects.toMatchObject({
      code: "RECORDING-001",
    });
  });
});
