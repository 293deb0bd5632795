/** The two ways to fail: typed errors with a location and a fix, and invariants. */
import { describe, expect, it } from "vitest";
import { defineErrors, describeWhere, invariant, InvariantError, SimError } from "./index.ts";

const errors = defineErrors("TEST", {
  first: { number: 1, title: "a first thing", explain: "It happens." },
  later: { number: 42, title: "a later thing", explain: "It happens later." },
});

describe("SimError", () => {
  it("[L10.6] says what is wrong, where, and how to fix it, in one line", () => {
    const error = errors.later({ what: "it broke", where: { tUs: 1_250_000, stage: "wind" }, fix: "Fix it." });
    expect(error).toBeInstanceOf(SimError);
    expect(error.message).toBe("TEST-042: it broke (at 1.250000 s, in stage wind). Fix it.");
    expect([error.code, error.what, error.fix]).toEqual(["TEST-042", "it broke", "Fix it."]);
  });

  it("keeps its cause", () => {
    const cause = new Error("disk");
    expect(errors.first({ what: "x", fix: "y", cause }).cause).toBe(cause);
  });

  it("describes locations from file to stage", () => {
    expect(describeWhere({ file: "gusty.toml", key: "wind.kind", line: 9 })).toBe("gusty.toml › wind.kind, line 9");
    expect(describeWhere({ key: "wind" })).toBe("wind");
    expect(describeWhere({})).toBe("");
  });

  it("a catalogue entry has its code, title and explanation", () => {
    expect(errors.first.code).toBe("TEST-001");
    expect(errors.first.title).toBe("a first thing");
    expect(errors.later.explain).toBe("It happens later.");
  });

  it("rejects a number that is used twice in an area", () => {
    const twice = { a: { number: 3, title: "", explain: "" }, b: { number: 3, title: "", explain: "" } };
    expect(() => defineErrors("TWICE", twice)).toThrow(InvariantError);
  });
});

describe("invariant", () => {
  it("does nothing while the condition holds, and does not compute its details", () => {
    invariant(true, "never seen", () => {
      throw new Error("computed");
    });
  });

  it("throws an InvariantError, with details", () => {
    expect(() => invariant(false, "x is odd", () => "x = 3")).toThrow(InvariantError);
    expect(() => invariant(false, "x is odd", () => "x = 3")).toThrow("x is odd\nx = 3");
    expect(() => invariant(false, "plain")).toThrow("plain");
  });
});
