/**
 * Recordings as files: flights are read bit for bit, independent readers agree, and damage is distinguished from
 * truncation.
 */
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse as parseDefinition } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  assemble,
  BusLayout,
  builtInLoader,
  canonicalJson,
  coreRegistry,
  Fingerprint,
  Flight,
  flyAsync,
  flyFlightNow,
  flyNow,
  mustResolve,
  Recorder,
  replayFlight,
  resolveFlight,
  SimError,
  summarise,
  Summariser,
  type BoundaryView,
  type PlainObject,
  type Recording,
  type Stream,
} from "@escapement/core";
import { DIMS, integrator, motor, noMemory, source, springCart } from "../../../../tests/support/flights.ts";
import { volume } from "../../../../tests/support/volume.ts";
import { bitsOf } from "../../../../tests/support/log-rows.ts";
import { MemoryBytes, type ByteSink } from "../bytes/byte-sink.ts";
import { readMcap } from "../mcap/reader.ts";
import { loadCompressor } from "../mcap/zstd.ts";
import type { CompressedChunk, Compressor } from "../mcap/compressor.ts";
import { McapWriter } from "../mcap/writer.ts";
import { loadZstd, type Zstd } from "../mcap/zstd.ts";
import { BoundaryBatch } from "./batch.ts";
import { channelsOf } from "./channels.ts";
import { logRecording, logRecordingStream, openLog, type LogSink } from "../logs/index.ts";
import {
  encodeRecording,
  openRecordingWriter,
  openRecordingStream,
  readRecording,
  RecordingWriter,
  type RecordingOptions,
} from "./index.ts";

const VERSIONS = { escapement: "0.1.0" };
let zstd: Zstd;
let compress: Compressor;
beforeAll(async () => {
  zstd = await loadZstd();
  compress = await loadCompressor();
});

/**
 * Flies a spring and a motor for a short time, and returns the recording in memory. `after` observes each boundary
 * after the writer.
 */
async function flySmall(
  writer: RecordingWriter,
  endUs = 60_000,
  after: (view: BoundaryView) => void = () => {},
): Promise<Recording> {
  const plant = springCart();
  const fingerprint = new Fingerprint(DIMS);
  const recorder = new Recorder(DIMS, plant.layout);
  const flight = new Flight({
    plant,
    dims: DIMS,
    endUs,
    logPeriodUs: 10_000,
    integrator: integrator(),
    autopilot: motor(4000, (tUs) => (Math.floor(tUs / 8000) % 2 === 0 ? 0.25 : 0.1 + tUs * 1e-7)),
    wind: source("wind", 20_000, (clock, bus) => {
      bus.windBaseNed[0] = clock.us === 40_000 ? -0 : 0.3;
    }),
    observers: [fingerprint, recorder, writer, { observe: after, ...noMemory }],
    sinks: [writer],
  });
  writer.prepare({
    dims: DIMS,
    stateBlocks: plant.layout.blocks,
    digests: () => fingerprint.result(),
    plantDigest: () => fingerprint.result().plant,
  });
  await flyAsync(flight);
  return recorder.finish({ digests: fingerprint.result() });
}

async function smallFile(
  options: RecordingOptions = {},
  endUs?: number,
): Promise<{ bytes: Uint8Array; flown: Recording }> {
  const memory = new MemoryBytes();
  const flown = await flySmall(await openRecordingWriter(memory, { versions: VERSIONS, ...options }), endUs);
  return { bytes: memory.bytes(), flown };
}

/** Returns a compressor that behaves like a thread and takes some time per chunk. */
function compressAfter(ms: number): Compressor {
  return (bytes) => {
    const plain = bytes.slice();
    let result: CompressedChunk | undefined;
    const finished = new Promise<void>((resolve) =>
      setTimeout(() => {
        result = compress(plain) as CompressedChunk;
        resolve();
      }, ms),
    );
    return { result: () => result, wait: () => finished, release: () => {} };
  };
}

/** Returns the head of a recording of this version. */
async function headOf(): Promise<object> {
  const { bytes } = await smallFile();
  const { attachments } = readMcap(bytes, zstd.decompress, () => {}, "head");
  return JSON.parse(new TextDecoder().decode(attachments.get("recording.json"))) as object;
}

/** Returns the whole recording, with floats as bits. */
function asBits(recording: Recording): unknown {
  const stream = ({ name, size, timesUs, values }: Stream) => ({
    name,
    size,
    timesUs: [...timesUs],
    values: bitsOf(values),
  });
  return {
    ...recording,
    initialState: bitsOf(recording.initialState),
    boundaries: { timesUs: [...recording.boundaries.timesUs], due: [...recording.boundaries.due] },
    streams: recording.streams.map(stream),
    logged: recording.logged.map(stream),
  };
}

function resolveSpec(spec: PlainObject) {
  return mustResolve(resolveFlight({ file: "test", spec }, coreRegistry, builtInLoader(coreRegistry)));
}

describe("a recording written during the flight", () => {
  it("equals the recorder's data in memory", async () => {
    const { bytes, flown } = await smallFile({ chunkBytes: 1500 });
    const { recording, versions, missing, perSecond } = await readRecording(bytes);
    expect(asBits(recording)).toEqual(asBits(flown));
    expect(versions).toEqual(VERSIONS);
    expect(missing).toBeUndefined();
    expect(perSecond).toHaveLength(1);
  });

  const sticks = { extends: "hover", scenario: [{ at: "1 s", sticks: { pitch: 0.5 } }] };
  it.each([
    ["hover", { extends: "hover" }],
    ["motor-out", { extends: "motor-out" }],
    ["drop", { extends: "drop" }],
    ["hover by sticks", sticks],
  ] as const)("replays the flight %s bit for bit", async (_name, spec) => {
    const flight = resolveSpec({ ...spec, timeline: { endS: 1.5 } });
    const memory = new MemoryBytes();
    const writer = await openRecordingWriter(memory, {
      resolved: flight.definition,
      resolvedHash: flight.hash,
      versions: VERSIONS,
    });
    const assembled = assemble(flight.definition, coreRegistry, { observers: [writer], sinks: [writer], record: true });
    const { plant, fingerprint, recorder } = assembled;
    writer.prepare({
      dims: assembled.flight.bus.layout.dims,
      stateBlocks: plant.layout.blocks,
      digests: () => fingerprint!.result(),
      plantDigest: () => fingerprint!.result().plant,
    });
    flyNow(assembled.flight);
    await writer.close();
    const { recording, perSecond } = await readRecording(memory.bytes());
    const flown = recorder!.finish({
      resolved: flight.definition,
      resolvedHash: flight.hash,
      digests: fingerprint!.result(),
    });
    expect(asBits(recording)).toEqual(asBits(flown));
    expect(perSecond.length).toBeGreaterThan(0);
    const replayed = replayFlight(recording);
    expect(replayed.reproduces).toBe(true);
    expect(replayed.changed).toEqual([]);
  });

  it("does not change the flight, and is the same file every time", async () => {
    const first = await smallFile({ chunkBytes: 1500 });
    const second = await smallFile({ chunkBytes: 1500 });
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const other = await smallFile({ chunkBytes: 900 });
    expect(other.flown.digests).toEqual(first.flown.digests);
  });

  it("waits for slow compressors and slow disks, and keeps the order", async () => {
    const memory = new MemoryBytes();
    const slow: ByteSink = {
      write: async (bytes) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        memory.write(bytes);
      },
      close: () => {},
    };
    await flySmall(new RecordingWriter(slow, { pack: compressAfter(2) }, { versions: VERSIONS, chunkBytes: 500 }));
    const { bytes } = await smallFile({ chunkBytes: 500 });
    expect(Buffer.compare(memory.bytes(), bytes)).toBe(0);
  });

  it("is the same file if written from memory, except for the digests per second", async () => {
    const { flown } = await smallFile();
    const memory = new MemoryBytes();
    await encodeRecording(memory, flown, { versions: VERSIONS });
    const { recording, perSecond } = await readRecording(memory.bytes());
    expect(asBits(recording)).toEqual(asBits(flown));
    expect(perSecond).toEqual([]);
  });

  it("of a slow flight is readable up to the latest boundary at any time, and the same file in the end", async () => {
    const memory = new MemoryBytes();
    let provisional = new Uint8Array(0);
    const timesUs: number[] = [];
    const sink: ByteSink = {
      sync: true,
      write: (bytes) => {
        provisional = new Uint8Array(0);
        memory.write(bytes);
      },
      writeProvisionally: (bytes) => void (provisional = bytes.slice()),
      close: () => {},
    };
    let nowMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 600));
    const writer = await openRecordingWriter(sink, { versions: VERSIONS });
    const seen: Uint8Array[] = [];
    await flySmall(writer, undefined, ({ frame }) => {
      timesUs.push(frame[0]!);
      seen.push(Uint8Array.from([...memory.bytes(), ...provisional]));
    }).finally(() => clock.mockRestore());
    const ends = await Promise.all(seen.map(async (bytes) => (await readRecording(bytes)).recording.endUs));
    expect(ends).toEqual(timesUs);
    const { bytes } = await smallFile();
    expect(Buffer.compare(memory.bytes(), bytes)).toBe(0);
  });

  it("is readable after its first boundary, before a compression thread has answered", async () => {
    const memory = new MemoryBytes();
    const asked: Uint8Array[] = [];
    const silent: Compressor = (bytes) => {
      asked.push(bytes);
      return { result: () => undefined, wait: () => new Promise<never>(() => {}), release: () => {} };
    };
    const writer = new RecordingWriter(memory, { pack: silent }, { versions: VERSIONS });
    let first: Uint8Array | undefined;
    void flySmall(writer, undefined, () => void (first ??= memory.bytes()));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    expect((await readRecording(first!)).recording.endUs).toBe(0);
  });

  it("cannot be rewound", async () => {
    const writer = await openRecordingWriter(new MemoryBytes());
    const { boundaries } = await flySmall(writer);
    const count = boundaries.timesUs.length;
    expect(() => writer.rewindTo(count)).not.toThrow();
    expect(() => writer.rewindTo(count - 1)).toThrow(/RECORDING-005/);
  });

  it("leaves no file if the flight never began", async () => {
    let discarded = 0;
    const sink: ByteSink = { write: () => {}, close: () => {}, discard: () => void (discarded += 1) };
    await (await openRecordingWriter(sink)).close();
    expect(discarded).toBe(1);
  });
});

describe("a recording read piece by piece", () => {
  const rowsOf = async (log: (sink: LogSink) => Promise<void>) => {
    const memory = new MemoryBytes();
    await log(await openLog("csv", memory));
    return new TextDecoder().decode(memory.bytes());
  };

  it("has the same rows, counts and end as the recording read as a whole", async () => {
    const flight = resolveSpec({ extends: "motor-out", timeline: { endS: 1.2 } });
    const memory = new MemoryBytes();
    const { recording } = flyFlightNow(flight);
    await encodeRecording(memory, recording, { versions: VERSIONS, chunkBytes: 20_000 });
    const stream = await openRecordingStream(memory.bytes());
    const rows = await rowsOf((sink) => logRecordingStream(stream, sink));
    expect(rows).toBe(await rowsOf((sink) => logRecording(recording, sink)));
    expect([...stream.counts]).toEqual(
      [...recording.streams, ...recording.logged].map(({ name, timesUs }) => [name, timesUs.length]),
    );
    const { resolvedHash, versions, digests, endUs, boundaries } = stream;
    expect({ resolvedHash, versions, digests, endUs, boundaries }).toEqual({
      resolvedHash: flight.hash,
      versions: VERSIONS,
      digests: recording.digests,
      endUs: recording.endUs,
      boundaries: recording.boundaries.timesUs.length,
    });
    const summariser = new Summariser(stream);
    await stream.play((view) => summariser.observe(view));
    expect(summariser.result()).toEqual(summarise(recording));
  });

  it("reads only one chunk at a time", async () => {
    const { bytes } = await smallFile({ chunkBytes: 1500 });
    let largest = 0;
    const read = (offset: number, length: number) => {
      largest = Math.max(largest, length);
      return bytes.slice(offset, offset + length);
    };
    const stream = await openRecordingStream({ size: bytes.length, read });
    let boundaries = 0;
    await stream.play(() => void (boundaries += 1));
    expect(boundaries).toBe(stream.boundaries);
    expect(largest).toBeLessThan(bytes.length / 2);
  });

  it("ends where the recording read as a whole ends if the file was cut short at any byte", async () => {
    const { bytes } = await smallFile({ chunkBytes: 1500 });
    const endOf = async (read: Promise<{ endUs: number }>) => read.then(({ endUs }) => endUs, codeOf);
    for (let length = 0; length <= bytes.length; length += volume(307, 97)) {
      const cut = bytes.subarray(0, length);
      const whole = readRecording(cut).then(({ recording }) => recording);
      expect(await endOf(openRecordingStream(cut))).toBe(await endOf(whole));
    }
  });
});

const codeOf = (error: SimError) => error.code;

describe("independent readers", () => {
  const decompressHandlers = { zstd: (bytes: Uint8Array, size: bigint) => zstd.decompress(bytes, Number(size)) };

  it("find every message through the index, with schemas they can decode", async () => {
    const { bytes, flown } = await smallFile({ chunkBytes: 1500 });
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(bytes.length),
        read: async (offset, length) => bytes.slice(Number(offset), Number(offset + length)),
      },
      decompressHandlers,
    });
    expect(reader.header.library).toBe("escapement 0.1.0");
    expect(reader.chunkIndexes.length).toBeGreaterThan(2);
    expect(reader.statistics!.attachmentCount).toBe(4);
    const rows = new Map<string, { t: number; value: any }[]>();
    for await (const message of reader.readMessages()) {
      const channel = reader.channelsById.get(message.channelId)!;
      const schema = reader.schemasById.get(channel.schemaId)!;
      expect([channel.messageEncoding, schema.encoding]).toEqual(["cdr", "ros2msg"]);
      const definition = parseDefinition(new TextDecoder().decode(schema.data), { ros2: true });
      const value = new MessageReader(definition).readMessage(message.data);
      if (!rows.has(channel.topic)) rows.set(channel.topic, []);
      rows.get(channel.topic)!.push({ t: Number(message.logTime) / 1000, value });
    }
    const state = flown.logged[0]!;
    expect(rows.get("/state")!.map(({ t }) => t)).toEqual([...state.timesUs]);
    const positions = rows.get("/state")!.map(({ value }) => value.position as number);
    expect(bitsOf(positions)).toEqual(bitsOf(state.values.filter((_, i) => i % 2 === 0)));
    const wind = rows.get("/wind")!.map(({ value }) => value.wind_base_ned[0] as number);
    expect(bitsOf(wind)).toEqual(bitsOf([0.3, -0, 0.3]));
    const boundaries = rows.get("/boundaries")!.flatMap(({ value }) => [...value.time_us].map(Number));
    expect(boundaries).toEqual([...flown.boundaries.timesUs]);
    const due = rows.get("/boundaries")!.flatMap(({ value }) => [...value.due]);
    expect(due).toEqual([...flown.boundaries.due]);
    expect(rows.get("/digest")![0]!.value.plant).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/);
    for await (const attachment of reader.readAttachments()) expect(attachment.data.length).toBeGreaterThan(0);
  });

  it("read from front to back with all checksums verified", async () => {
    const { bytes } = await smallFile({ chunkBytes: 1500 });
    const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
    reader.append(bytes);
    const kinds = new Set<string>();
    for (let record; (record = reader.nextRecord()) !== undefined;) kinds.add(record.type);
    expect(reader.done()).toBe(true);
    for (const kind of ["Message", "MessageIndex", "ChunkIndex", "Attachment", "Statistics", "DataEnd"])
      expect(kinds).toContain(kind);
  });
});

describe("the recording reader", () => {
  const code = async (bytes: Uint8Array) => {
    try {
      const { missing } = await readRecording(bytes);
      return missing === undefined ? "whole" : "cut";
    } catch (error) {
      expect(error).toBeInstanceOf(SimError);
      return (error as SimError).code;
    }
  };
  /** Returns true if a recording is the beginning of another, with the same rows up to its end. */
  const isPrefix = (part: Recording, whole: Recording) => {
    const upTo = (times: Float64Array) => times.filter((tUs) => tUs <= part.endUs).length;
    expect([...part.boundaries.timesUs]).toEqual([
      ...whole.boundaries.timesUs.subarray(0, upTo(whole.boundaries.timesUs)),
    ]);
    [...part.streams, ...part.logged].forEach((stream, i) => {
      const full = [...whole.streams, ...whole.logged][i]!;
      const rows = upTo(full.timesUs);
      expect([stream.name, [...stream.timesUs]]).toEqual([full.name, [...full.timesUs.subarray(0, rows)]]);
      expect(bitsOf(stream.values)).toEqual(bitsOf(full.values.subarray(0, rows * full.size)));
    });
  };

  it("returns everything up to the last complete chunk of a file cut at any byte", async () => {
    const { bytes, flown } = await smallFile({ chunkBytes: 700 }, 30_000);
    let lastEnd = -1;
    const ends = new Set<number>();
    for (let length = 0; length < bytes.length; length += volume(29, 1)) {
      const cut = bytes.slice(0, length);
      let file;
      try {
        file = await readRecording(cut);
      } catch (error) {
        expect((error as SimError).code).toMatch(/^RECORDING-00[13]$/);
        expect(lastEnd).toBe(-1);
        continue;
      }
      const { endUs } = file.recording;
      if (file.missing === undefined || endUs < lastEnd)
        throw new Error(`cut at ${length}: the cut was not noticed, or less was read than from a shorter file`);
      if (endUs !== lastEnd) isPrefix(file.recording, flown);
      lastEnd = endUs;
      ends.add(lastEnd);
    }
    expect(lastEnd).toBe(flown.endUs);
    expect(ends.size).toBeGreaterThan(3);
  });

  it("rejects a file with any byte changed, or returns the same flight", async () => {
    const { bytes, flown } = await smallFile({ chunkBytes: 2500 });
    const expected = canonicalJson(asBits(flown));
    const outcomes = new Map<string, number>();
    // The changes are a fixed sequence. In the long tests it reaches every byte, and every bit of most bytes.
    const changes = volume(2000, 10_000);
    for (let n = 0; n < changes; n += 1) {
      const at = (n * 7919) % bytes.length;
      const changed = bytes.slice();
      changed[at]! ^= 1 << (n % 8);
      const outcome = await code(changed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== "cut") continue;
      const { recording } = await readRecording(changed);
      expect(canonicalJson(asBits(recording)) === expected).toBe(true);
    }
    expect(outcomes.get("whole")).toBeUndefined();
    expect(outcomes.get("RECORDING-002")).toBeGreaterThan(0.95 * changes);
  });

  it("never crashes on arbitrary bytes", async () => {
    const { bytes } = await smallFile({ chunkBytes: 2500 });
    const splice = fc
      .tuple(fc.nat({ max: bytes.length }), fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 40 }))
      .map(([at, insert, skip]) =>
        Uint8Array.from([...bytes.subarray(0, at), ...insert, ...bytes.subarray(at + skip)]),
      );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), splice), async (given) => {
        expect(await code(given)).toMatch(/^(RECORDING-00[1-4]|whole|cut|RECORD-\d+)$/);
      }),
      { numRuns: volume(60, 200) },
    );
  });

  it("rejects other versions and other programs' files by name", async () => {
    const { flown } = await smallFile();
    const memory = new MemoryBytes();
    await encodeRecording(memory, { ...flown, resolved: { a: 1 } });
    expect(await code(memory.bytes())).toBe("FLIGHT-029");
    const { recording } = flyFlightNow(resolveSpec({ extends: "hover", timeline: { endS: 0.1 } }));
    const forged = new MemoryBytes();
    await encodeRecording(forged, { ...recording, resolvedHash: "not its hash" });
    expect(await code(forged.bytes())).toBe("RECORDING-002");
    const padded = new MemoryBytes();
    const blocks = [{ name: "x", size: 1, unit: "m" }];
    const specs = channelsOf(new BusLayout(DIMS), blocks);
    const strange = new McapWriter(padded, {
      library: "x",
      channels: specs.map((spec) => ({ ...spec, definition: `${" ".repeat(1e6)}x` })),
      compress,
    });
    const head = { ...(await headOf()), stateBlocks: blocks, dims: DIMS };
    strange.attach("recording.json", "application/json", new TextEncoder().encode(canonicalJson(head)));
    strange.message(0, 0, new BoundaryBatch().encode());
    await strange.close();
    expect(await code(padded.bytes())).toBe("RECORD-002");
    const octa = resolveSpec({ extends: "hover", vehicle: "octa" });
    const mixed = new MemoryBytes();
    await encodeRecording(mixed, { ...recording, resolved: octa.definition, resolvedHash: octa.hash });
    expect(await code(mixed.bytes())).toBe("RECORD-007");
    const sizes = new MemoryBytes();
    await encodeRecording(sizes, { ...flown, stateBlocks: [{ name: "x", size: 1e9, unit: "m" }] });
    expect(await code(sizes.bytes())).toBe("RECORDING-002");
    const foreign = new MemoryBytes();
    const writer = new McapWriter(foreign, {
      library: "other",
      channels: [{ topic: "/x", schemaName: "x/msg/X", definition: "float64 x\n" }],
      compress,
    });
    writer.message(0, 5, new Uint8Array(8));
    await writer.close();
    expect(await code(foreign.bytes())).toBe("RECORDING-001");
    const other = new MemoryBytes();
    const versioned = new McapWriter(other, {
      library: "x",
      channels: [{ topic: "/x", schemaName: "x/msg/X", definition: "float64 x\n" }],
      compress,
    });
    versioned.attach("recording.json", "application/json", new TextEncoder().encode('{"fileVersion":99}'));
    await versioned.close();
    expect(await code(other.bytes())).toBe("RECORDING-004");
  });
});

describe("a disk failure", () => {
  // The compressor runs on the simulation thread, or on another thread with a delayed result.
  it.each([
    ["synchronous", (bytes: Uint8Array) => compress(bytes)],
    ["asynchronous", compressAfter(1)],
  ] as const)(
    "at any write leaves everything up to the last complete chunk, with %s compression",
    async (_when, compressor) => {
      const { bytes: whole, flown } = await smallFile({ chunkBytes: 700 });
      let failures = 0;
      for (let n = 1; n < 40; n += 1) {
        const kept = new MemoryBytes();
        let writes = 0;
        let abandon = 0;
        const failing: ByteSink = {
          sync: true,
          write: (bytes) => {
            writes += 1;
            if (writes < n) return kept.write(bytes);
            kept.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
            throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          },
          close: () => {},
          discard: () => void (abandon += 1),
        };
        const writer = new RecordingWriter(failing, { pack: compressor }, { versions: VERSIONS, chunkBytes: 700 });
        const error = await flySmall(writer).then(
          () => undefined,
          (thrown: Error) => thrown,
        );
        const left = kept.bytes();
        expect(Buffer.compare(left, whole.subarray(0, left.length))).toBe(0);
        const outcome = await readRecording(left).catch((refusal: SimError) => refusal.code);
        if (typeof outcome === "string") expect(outcome).toMatch(/^RECORDING-00[13]$/);
        else expect(outcome.recording.endUs).toBeLessThanOrEqual(flown.endUs);
        if (error === undefined) break;
        expect(error.message).toContain("no space");
        expect(abandon).toBe(1);
        failures += 1;
      }
      expect(failures).toBeGreaterThan(5);
      expect(failures).toBeLessThan(39);
    },
  );

  it("while writing from memory discards the file", async () => {
    const { flown } = await smallFile();
    let [writes, abandon] = [0, 0];
    const failing: ByteSink = {
      sync: true,
      write: () => {
        writes += 1;
        if (writes === 4) throw new Error("no space");
      },
      close: () => expect.unreachable("it failed"),
      discard: () => void (abandon += 1),
    };
    await expect(encodeRecording(failing, flown, { chunkBytes: 700 })).rejects.toThrow("no space");
    expect(abandon).toBe(1);
  });
});
