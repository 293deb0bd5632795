/** Tests the digest format fp1: known answers, and agreement with a second implementation in exact integers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FP1_KNOWN_ANSWERS } from "../../../../tests/support/fp1.ts";
import { Snapshot } from "../snapshot/index.ts";
import { Digest } from "./index.ts";

const wordsOf = (values: readonly number[]) => new Int32Array(Float64Array.from(values).buffer);

function digestOf(...calls: readonly (readonly number[])[]): string {
  const digest = new Digest();
  for (const values of calls) digest.feed(wordsOf(values), 0, 2 * values.length);
  return digest.text();
}

/** Returns the digest of a machine that stores the high half first. */
function bigEndianDigestOf(...calls: readonly (readonly number[])[]): string {
  const digest = new Digest(false);
  for (const values of calls) {
    const view = new DataView(new ArrayBuffer(8 * values.length));
    values.forEach((value, i) => view.setFloat64(8 * i, value, false));
    const words = Int32Array.from({ length: 2 * values.length }, (_, i) => view.getInt32(4 * i, false));
    digest.feed(Int32Array.of(1, 2, ...words), 2, words.length);
  }
  return digest.text();
}

/** Computes fp1 as docs/determinism.md defines it, in integers of unlimited size. */
function reference(...calls: readonly (readonly number[])[]): string {
  const mask = 0xffffffffn;
  const rotate = (word: bigint, by: bigint) => ((word << by) | (word >> (32n - by))) & mask;
  const multipliers = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn, 0x27d4eb2fn];
  const h = [0x243f6a88n, 0x85a308d3n, 0x13198a2en, 0x03707344n];
  for (const values of calls) {
    const words = [...new Uint32Array(Float64Array.from(values).buffer)].map(BigInt);
    words.forEach((word, i) => {
      h[i % 4] = rotate(((h[i % 4]! ^ word) * multipliers[i % 4]!) & mask, 13n);
    });
    h[0] = (h[0]! + h[3]!) & mask;
    h[1] = h[1]! ^ h[0]!;
    h[2] = (h[2]! + h[1]! + BigInt(words.length)) & mask;
    h[3] = h[3]! ^ h[2]!;
  }
  const finish = (word: bigint, multiplier: bigint) => {
    let f = ((word ^ (word >> 16n)) * multiplier) & mask;
    f = ((f ^ (f >> 13n)) * multipliers[3]!) & mask;
    return f ^ (f >> 16n);
  };
  const high = finish(h[0]! ^ rotate(h[2]!, 16n), multipliers[1]!);
  const low = finish(h[1]! ^ rotate(h[3]!, 16n), multipliers[2]!);
  return [high, low]
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("")
    .match(/.{4}/g)!
    .join("-");
}

describe("fp1", () => {
  it.each(FP1_KNOWN_ANSWERS)("[L9.2] known answer of %j", (calls, text) => {
    expect(digestOf(...calls)).toBe(text);
  });

  it("[L9.2] agrees with an implementation in exact integers, for any calls", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.double({ noNaN: true }), { maxLength: 9 }), { maxLength: 5 }), (calls) => {
        expect(digestOf(...calls)).toBe(reference(...calls));
        expect(bigEndianDigestOf(...calls)).toBe(reference(...calls));
      }),
    );
  });

  it("[L9.3] distinguishes -0 from 0, and one call from two", () => {
    expect(digestOf([-0])).not.toBe(digestOf([0]));
    expect(digestOf([1, 2])).not.toBe(digestOf([1], [2]));
    expect(digestOf([])).not.toBe(digestOf([], []));
  });

  it("[L9.2] changes in about half of its own bits if any single bit of the input changes", () => {
    const base = [1.5, -2.25, 1e-3];
    const before = BigInt(`0x${digestOf(base).replaceAll("-", "")}`);
    let flips = 0;
    for (let bit = 0; bit < 192; bit += 1) {
      const words = wordsOf(base);
      words[bit >> 5]! ^= 1 << (bit & 31);
      const digest = new Digest();
      digest.feed(words, 0, 6);
      const after = BigInt(`0x${digest.text().replaceAll("-", "")}`);
      expect(after).not.toBe(before);
      flips += (before ^ after).toString(2).replaceAll("0", "").length;
    }
    expect(flips / 192).toBeGreaterThan(24);
    expect(flips / 192).toBeLessThan(40);
  });

  it("[L9.2] separates states that differ in the same bit of every lane", () => {
    const texts = [0, 1].map((bit) => {
      const digest = new Digest();
      const flip = bit === 0 ? 0 : -0x80000000;
      const lanes = [0x11111111, 0x22222222, 0x33333333, 0x44444444].map((word) => (word ^ flip) | 0);
      Snapshot.of({ save: (writer) => writer.numbers(lanes), load: () => {} }).into(digest);
      digest.feed(new Int32Array(0), 0, 0);
      return digest.text();
    });
    expect(texts[0]).not.toBe(texts[1]);
  });

  it("[L9.2] 20 000 nearly equal inputs have no collisions", () => {
    const seen = new Set<string>();
    for (let i = 0; i < 20_000; i += 1) seen.add(digestOf([i, 0, 0]));
    expect(seen.size).toBe(20_000);
  });

  it("[L9.7] continues after save and load", () => {
    const first = new Digest();
    first.feed(wordsOf([1, 2, 3]), 0, 6);
    const second = new Digest();
    Snapshot.of(first).into(second);
    for (const digest of [first, second]) digest.feed(wordsOf([4]), 0, 2);
    expect(second.text()).toBe(first.text());
    expect(second.text()).toBe(digestOf([1, 2, 3], [4]));
  });
});
