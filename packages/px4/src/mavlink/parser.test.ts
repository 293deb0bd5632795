/** Parser tests with arbitrary chunks and garbage in the stream: the parser never throws and always resynchronises. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crcByte, crcOver } from "./checksum.ts";
import { MESSAGES } from "./dialect.ts";
import { FrameWriter } from "./frame.ts";
import { FrameParser, valuesOf } from "./parser.ts";

/** Returns a frame with the given number in its `seq` field. */
function frameOf(number: number): Uint8Array {
  const writer = new FrameWriter({ systemId: 1, componentId: 1 });
  writer.add(MESSAGES.MISSION_REQUEST_INT, { target_system: 255, target_component: 190, seq: number });
  return writer.take();
}

function numbersIn(chunks: Iterable<Uint8Array>): { numbers: number[]; parser: FrameParser } {
  const numbers: number[] = [];
  const parser = new FrameParser(MESSAGES, (frame) => {
    const values = valuesOf(frame, MESSAGES.MISSION_REQUEST_INT);
    if (values !== undefined) numbers.push(values.seq);
  });
  for (const chunk of chunks) parser.push(chunk);
  return { numbers, parser };
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

describe("frame parser", () => {
  it("finds every frame for any split of the stream", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 60 }), (lengths, count) => {
        const stream = join(Array.from({ length: count }, (_, i) => frameOf(i)));
        const { numbers, parser } = numbersIn(cut(stream, lengths));
        expect(numbers).toEqual(Array.from({ length: count }, (_, i) => i));
        expect(parser.stats).toEqual({ frames: count, unknown: 0, refused: 0, skipped: 0 });
      }),
    );
  });

  it("never throws and finds frames again after any garbage", () => {
    fc.assert(
      fc.property(sizes, fc.uint8Array({ maxLength: 600 }), fc.boolean(), (lengths, garbage, magics) => {
        // Half of the runs contain only magic numbers and small lengths, which is the worst garbage.
        if (magics) garbage.forEach((byte, i) => (garbage[i] = [0xfd, 0xfe, 0, 1, 9][byte % 5]!));
        // A false start can consume at most one frame of maximum length. After that, the parser must find every frame.
        const tail = Array.from({ length: 40 }, (_, i) => frameOf(i));
        const { numbers } = numbersIn(cut(join([garbage, ...tail]), lengths));
        const last = tail.length - 1;
        expect(numbers[numbers.length - 1]).toBe(last);
        expect(numbers.slice(-20)).toEqual(Array.from({ length: 20 }, (_, i) => i + 20));
      }),
      { numRuns: 400 },
    );
  });

  it("loses only the frame in which a byte was flipped", () => {
    fc.assert(
      fc.property(fc.nat({ max: 18 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const frames = Array.from({ length: 60 }, (_, i) => frameOf(1000 + i));
        frames[3]![at % frames[3]!.length]! ^= flip;
        const { numbers } = numbersIn([join(frames)]);
        expect(numbers.filter((n) => n !== 1003)).toEqual(frames.map((_, i) => 1000 + i).filter((n) => n !== 1003));
        expect(numbers).not.toContain(1003);
      }),
      { numRuns: 300 },
    );
  });

  it("skips a whole frame of an unknown message, even if its payload contains valid frames", () => {
    const inner = frameOf(66);
    const unknown = new Uint8Array(10 + inner.length + 2);
    unknown.set([0xfd, inner.length, 0, 0, 0, 1, 1, 0x39, 0x30, 0]);
    unknown.set(inner, 10);
    const crc = crcByte(crcOver(unknown, 1, 10 + inner.length), 77);
    unknown[10 + inner.length] = crc & 0xff;
    unknown[11 + inner.length] = crc >> 8;
    const { numbers, parser } = numbersIn([join([frameOf(1), unknown, frameOf(2)])]);
    expect(numbers).toEqual([1, 2]);
    expect(parser.stats.unknown).toBe(1);
  });

  it("reads a signed frame and skips its signature", () => {
    const plain = frameOf(5);
    const signed = new Uint8Array(plain.length + 13);
    signed.set(plain);
    signed[2] = 1;
    const end = plain.length - 2;
    const crc = crcByte(crcOver(signed, 1, end), MESSAGES.MISSION_REQUEST_INT.crcExtra);
    signed[end] = crc & 0xff;
    signed[end + 1] = crc >> 8;
    signed.fill(0xfd, plain.length);
    expect(numbersIn([join([signed, frameOf(6)])]).numbers).toEqual([5, 6]);
  });

  it("rejects frames with unknown flags", () => {
    const strange = frameOf(5);
    strange[2] = 4;
    const end = strange.length - 2;
    const crc = crcByte(crcOver(strange, 1, end), MESSAGES.MISSION_REQUEST_INT.crcExtra);
    strange[end] = crc & 0xff;
    strange[end + 1] = crc >> 8;
    const { numbers, parser } = numbersIn([join([strange, frameOf(6)])]);
    expect(numbers).toEqual([6]);
    expect(parser.stats.refused).toBeGreaterThan(0);
  });

  it("when the stream ends, finds the frames that a false start had swallowed", () => {
    const numbers: number[] = [];
    const parser = new FrameParser(MESSAGES, (frame) =>
      numbers.push(valuesOf(frame, MESSAGES.MISSION_REQUEST_INT)!.seq),
    );
    parser.push(join([Uint8Array.of(0xfd, 250, 0), frameOf(1), frameOf(2)]));
    expect(numbers).toEqual([]);
    parser.discardUnfinished();
    expect(numbers).toEqual([1, 2]);
    parser.push(frameOf(3));
    expect(numbers).toEqual([1, 2, 3]);
  });

  it("accepts chunks larger than its buffer", () => {
    const frames = Array.from({ length: 5000 }, (_, i) => frameOf(i));
    expect(numbersIn([join(frames)]).numbers).toHaveLength(5000);
  });
});
