/**
 * The checksum: a known answer, computation in pieces and over shared memory, and the same result from native code
 * and JavaScript.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, portableCrc32 } from "./crc32.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe.each([
  ["as this platform computes it", crc32],
  ["as JavaScript computes it", portableCrc32],
])("the checksum %s", (_, checksum) => {
  it("has the known answer of CRC-32, and 0 for no bytes", () => {
    expect(checksum(bytesOf("123456789"))).toBe(0xcbf43926);
    expect(checksum(new Uint8Array(0))).toBe(0);
  });

  it("continues from the checksum of the bytes before", () => {
    expect(checksum(bytesOf("56789"), checksum(bytesOf("1234")))).toBe(0xcbf43926);
  });

  it("reads shared memory and views that start anywhere", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(16));
    shared.set(bytesOf("123456789"), 3);
    expect(checksum(shared.subarray(3, 12))).toBe(0xcbf43926);
    expect(checksum(new DataView(shared.buffer, 3, 9))).toBe(0xcbf43926);
  });
});

it("the checksum is the same from native code and from JavaScript", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 0xffffffff }), (bytes, before) => {
      expect(crc32(bytes, before)).toBe(portableCrc32(bytes, before));
    }),
  );
});
