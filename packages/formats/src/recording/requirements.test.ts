/** The requirements of a flight are part of its recording, also of a file that was cut short. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  coreRegistry,
  flyFlightNow,
  mustResolve,
  type Recording,
  resolveFlight,
  type ResolvedRequirement,
} from "@escapement/core";
import { volume } from "../../../../tests/support/volume.ts";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import { readTable } from "../logs/index.ts";
import { encodeRecording, openRecordingStream, readRecording, readRecordingOverview } from "./index.ts";

const TEXTS = ["never tilt > 60 deg", { name: "höher", text: "after touchdown: altitude < 3 m", severity: "warning" }];

let recording: Recording;
let requirements: readonly ResolvedRequirement[];
beforeAll(() => {
  const spec = { extends: "drop", timeline: { endS: 1 }, requirements: TEXTS };
  const resolved = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
  ({ requirements } = resolved.judged);
  ({ recording } = flyFlightNow(resolved));
});

async function fileWith(given: unknown): Promise<Uint8Array> {
  const memory = new MemoryBytes();
  await encodeRecording(memory, recording, { requirements: given as typeof requirements, chunkBytes: 4000 });
  return memory.bytes();
}

async function fileWithout(): Promise<Uint8Array> {
  const memory = new MemoryBytes();
  await encodeRecording(memory, recording, { chunkBytes: 4000 });
  return memory.bytes();
}

describe("the requirements in a recording", () => {
  it("are read as they were written, by both readers and before the first row", async () => {
    expect(requirements).toEqual([
      { name: "never tilt > 60 deg", text: "never tilt > 60 deg", severity: "error", mustOccur: false },
      { name: "höher", text: "after touchdown: altitude < 3 m", severity: "warning", mustOccur: true },
    ]);
    const bytes = await fileWith(requirements);
    expect((await readRecording(bytes)).requirements).toEqual(requirements);
    let early: unknown;
    const stream = await openRecordingStream(bytes, { onHead: (head) => (early = head.requirements) });
    expect(stream.requirements).toEqual(requirements);
    expect(early).toEqual(requirements);
  });

  it("are not in the file of a flight without requirements", async () => {
    const plain = await fileWithout();
    expect(Buffer.compare(plain, await fileWith([]))).toBe(0);
    expect(Buffer.from(plain).includes("requirements.json")).toBe(false);
    expect((await readRecording(plain)).requirements).toEqual([]);
    expect((await openRecordingStream(plain)).requirements).toEqual([]);
  });

  it("change neither the flight nor its hash, its overview and its rows", async () => {
    const [plain, judged] = [await fileWithout(), await fileWith(requirements)];
    expect((await readRecording(judged)).recording).toEqual((await readRecording(plain)).recording);
    expect(await readRecordingOverview(judged)).toEqual(await readRecordingOverview(plain));
    expect((await readTable(judged)).columns).toEqual((await readTable(plain)).columns);
  });

  it("are whole in a file cut at any byte, if its flight can be read", async () => {
    const bytes = await fileWith(requirements);
    let readable = 0;
    for (let length = 0; length < bytes.length; length += volume(997, 101)) {
      const read = await readRecording(bytes.subarray(0, length)).catch(({ code }: { code: string }) => code);
      if (typeof read === "string") expect(read).toMatch(/^RECORDING-00[13]$/);
      else {
        expect([read.missing === undefined, read.requirements]).toEqual([false, requirements]);
        readable += 1;
      }
    }
    expect(readable).toBeGreaterThan(3);
  });

  it("may be texts that this version cannot read, because the flight does not need them", async () => {
    const unknown = [{ ...requirements[0]!, text: "sometimes glow > 3 lux" }];
    expect((await readRecording(await fileWith(unknown))).requirements).toEqual(unknown);
  });

  it.each([
    ["a table", () => ({ length: 1 })],
    ["a list of texts", () => ["never tilt > 60 deg"]],
    ["a requirement without a name", () => requirements.map(({ name: _name, ...rest }) => rest)],
    ["an unknown severity", () => [{ ...requirements[0]!, severity: "fatal" }]],
    ["a text that is a number", () => [{ ...requirements[0]!, text: 7 }]],
    ["an unknown key", () => [{ ...requirements[0]!, until: 3 }]],
    ["too many requirements", () => Array.from({ length: 2001 }, () => requirements[0])],
  ])("are rejected if they are %s", async (_what, given) => {
    const bytes = await fileWith(given());
    await expect(readRecording(bytes)).rejects.toMatchObject({ code: "RECORDING-002" });
    await expect(openRecordingStream(bytes)).rejects.toMatchObject({ code: "RECORDING-002" });
  });

  it("are rejected if a byte of them was changed", async () => {
    const bytes = await fileWith(requirements);
    bytes[Buffer.from(bytes).indexOf("60 deg")]! ^= 1;
    await expect(readRecording(bytes)).rejects.toMatchObject({ code: "RECORDING-002" });
  });
});
