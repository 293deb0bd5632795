/** Snapshots: named sections, read in the order in which they were written; a mismatch is an error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../../../tests/support/flights.ts";
import { PartWithMemory, Snapshot, SnapshotBuilder, withMemory } from "./index.ts";

function exampleSnapshot(): Snapshot {
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
    const reader = exampleSnapshot().reader();
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

  it("rejects a wrong section, a section that is too short, and sections that are not read or only partly read", () => {
    expect(codeOf(() => exampleSnapshot().reader().section("b"))).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = exampleSnapshot().reader();
        reader.section("a");
        reader.numbersInto(new Float64Array(4));
      }),
    ).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = exampleSnapshot().reader();
        reader.section("a");
        reader.number();
        reader.section("empty");
      }),
    ).toBe("SNAPSHOT-001");
    expect(
      codeOf(() => {
        const reader = exampleSnapshot().reader();
        reader.section("a");
        reader.numbersInto(new Float64Array(3));
        reader.end();
      }),
    ).toBe("SNAPSHOT-001");
  });

  it("reports which section it found and which it expected", () => {
    expect(() => exampleSnapshot().reader().section("wind")).toThrow('holds "a", but "wind" is expected');
    const past = () => new Snapshot([]).reader().section("wind");
    expect(past).toThrow("nothing more");
  });

  it("must start with a section", () => {
    expect(() => new SnapshotBuilder().number(1)).toThrow("starts with a section");
  });
});

describe("declared memory", () => {
  class Part extends PartWithMemory {
    readonly m = { count: 0, isOn: false, place: new Float64Array(2), inner: { sinceUs: -1 } };
    readonly cells = new Float64Array(1);
    protected readonly memory = [this.m, withMemory(this.cells)];
  }

  it("[L9.7] is saved in the order of declaration and loaded back", () => {
    const part = new Part();
    Object.assign(part.m, { count: NaN, isOn: true });
    part.m.place.set([-0, NaN]);
    part.m.inner.sinceUs = 2 ** 40;
    part.cells[0] = 5;
    const saved = Snapshot.of(part);
    expect(Array.from(saved.sections[0]!.values)).toEqual([-Number.MAX_VALUE, 1, -0, -Number.MAX_VALUE, 2 ** 40, 5]);
    const other = new Part();
    const { place } = other.m;
    saved.into(other);
    expect(other.m).toEqual(part.m);
    expect(other.m.place).toBe(place);
    expect(other.cells[0]).toBe(5);
  });

  it("rejects values that a checkpoint cannot hold", () => {
    expect(() => Snapshot.of(withMemory({ name: "x" }))).toThrow('"name" cannot be saved: x');
    expect(() => Snapshot.of(withMemory({ later: undefined }))).toThrow('"later" cannot be saved: undefined');
  });
});
