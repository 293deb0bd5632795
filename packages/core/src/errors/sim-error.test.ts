/** The two ways to fail: typed errors with a place and a remedy, and invariants. */
import { describe, expect, it } from "vitest";
import { defineErrors, describeWhere, invariant, InvariantError, SimError } from "./index.ts";

const errors = defineErrors("TEST", {
  first: { number: 1, title: "a first thing", explain: "It happens." },
  later: { number: 42, title: "a later thing", explain: "It happens later." },
});

describe("SimError", () => {
  it("[L10.6] says what, where and how to mend it, in one line", () => {
    const error = errors.later({ what: "it broke", where: { tUs: 1_250_000, stage: "wind" }, fix: "Mend it." });
    expect(error).toBeInstanceOf(SimError);
    expect(error.message).toBe("TEST-042: it broke (at 1.250000 s, in stage wind). Mend it.");
    expect([error.code, error.what, error.fix]).toEqual(["TEST-042", "it broke", "Mend it."]);
  });

  it("keeps its cause", () => {
    const cause = new Error("disk");
    expect(errors.first({ what: "x", fix: "y", cause }).cause).toBe(cause);
  });

  it("describes places from file to stage", () => {
    expect(describeWhere({ file: "gusty.toml", key: "wind.kind", line: 9 })).toBe("gusty.toml › wind.kind, line 9");
    expect(describeWhere({ key: "wind" })).toBe("wind");
    expect(describeWhere({})).toBe("");
  });

  it("a catalogue entry is its own documentation", () => {
    expect(errors.first.code).toBe("TEST-001");
    expect(errors.first.title).toBe("a first thing");
    expect(errors.later.explain).toBe("It happens later.");
  });

  it("refuses a number given twice in an area", () => {
    const twice = { a: { number: 3, title: "", explain: "" }, b: { number: 3, title: "", explain: "" } };
    expect(() => defineErrors("TWICE", twice)).toThrow(InvariantError);
  });
});

describe("invariant", () => {
  it("is silent while it holds and does not compute its details", () => {
    invariant(true, "never seen", () => {
      throw new Error("computed");
    });
  });

  it("throws its own kind, with details", () => {
    expect(() => invariant(false, "x is odd", () => "x = 3")).toThrow(InvariantError);
    expect(() => invariant(false, "x is odd", () => "x = 3")).toThrow("x is odd\nx = 3");
    expect(() => invariant(false, "plain")).toThrow("plain");
  });
});
