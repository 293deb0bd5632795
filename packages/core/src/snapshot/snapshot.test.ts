/** Snapshots: named sections, read in the order in which they were written; a mismatch is an error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../../../tests/support/flights.ts";
import { Snapshot, SnapshotBuilder } from "./index.ts";

function built(): Snapshot {
  const writer = new SnapshotBuilder();
  writer.section("a");
  writer.number(1);
  writer.numbers([2, 3]);
  writer.section("empty");
  writer.section("b");
  writer.number(-0);
  return writer.finish();
}

describe("snapshot", () => {
  it("[L9.7] restores every bit, including -0, and NaN as NaN", () => {
    fc.assert(
      fc.property(fc.array(fc.double()), (values) => {
        const saved = Snapshot.of({ save: (writer) => writer.numbers(values), load: () => {} });
        const out = new Float64Array(values.length);
        saved.into({ save: () => {}, load: (reader) => reader.numbersInto(out) });
        out.forEach((value, i) => expect(Object.is(value, values[i])).toBe(true));
      }),
    );
  });

  it("reads sections in order and counts the values left in each", () => {
    const reader = built().reader();
    reader.section("a");
    expect(reader.remaining()).toBe(3);
    expect(reader.number()).toBe(1);
    reader.numbersInto(new Float64Array(2));
    expect(reader.remaining()).toBe(0);
    reader.section("empty");
    reader.section("b");
    expect(Object.is(reader.number(), -0)).toBe(true);
    reader.end();
  });

  it("refuses a wrong section, one that is too short, one read only in part, and one not read at all", () => {
    expect(codeOf(() => built().reader().section("b"))).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = built().reader();
        reader.section("a");
        reader.numbersInto(new Float64Array(4));
      }),
    ).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = built().reader();
        reader.section("a");
        reader.number();
        reader.section("empty");
      }),
    ).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = built().reader();
        reader.section("a");
        reader.numbersInto(new Float64Array(3));
        reader.end();
      }),
    ).toBe("SNAPSHOT-001");
  });

  it("says which section it found and which it expected", () => {
    expect(() => built().reader().section("wind")).toThrow('holds "a" but "wind" is expected');
    const past = () => new Snapshot([]).reader().section("wind");
    expect(past).toThrow("nothing more");
  });

  it("starts with a section", () => {
    expect(() => new SnapshotBuilder().number(1)).toThrow("starts with a section");
  });
});
