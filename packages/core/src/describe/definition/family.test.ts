/** Families of flights: parents, forks and edits follow from the descriptions. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { resolveBranch } from "./branch.ts";
import { editBetween, familyOf } from "./family.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "../resolve/resolve.ts";

const resolve = (spec: PlainObject) =>
  mustResolve(resolveFlight({ file: "family", spec: { extends: "mission", ...spec } }, coreRegistry));
const definition = (scenario: readonly PlainObject[], spec: PlainObject = {}) =>
  resolve({ scenario, ...spec }).definition;

const OFF = { atS: 10, motorOff: { motor: 2 } };
const HOLD = { atS: 15, hold: true };
const GUST = { atS: 20, forS: 2, gust: { velNedMps: [0, 5, 0] } };

/** Returns the parent's name and the fork of each flight. */
function familyTable(
  flights: Readonly<Record<string, ReturnType<typeof definition>>>,
  endsS: Readonly<Record<string, number>> = {},
): Record<string, unknown> {
  const names = Object.keys(flights);
  const endUs = (name: string) => 1e6 * (endsS[name] ?? 60);
  const branches = familyOf(names.map((name) => ({ name, definition: flights[name]!, endUs: endUs(name) })));
  return Object.fromEntries(
    names.map((name, i) => {
      const branch = branches[i];
      return [name, branch === undefined ? "root" : [names[branch.parent], branch.edit.forkUs / 1e6]];
    }),
  );
}

describe("a family", () => {
  it("gives each flight the parent with which it shares the longest history", () => {
    expect(
      familyTable({
        offHold: definition([OFF, HOLD]),
        base: definition([]),
        offHoldGust: definition([OFF, HOLD, GUST]),
        off: definition([OFF]),
        gust: definition([GUST]),
        offGust: definition([OFF, GUST]),
      }),
    ).toEqual({
      base: "root",
      off: ["base", 10],
      gust: ["base", 20],
      offHold: ["off", 15],
      offGust: ["off", 20],
      offHoldGust: ["offHold", 20],
    });
  });

  it("keeps the flight from which a branch was made as its parent, even if the branch leaves an event out", () => {
    const [crash, healthy] = [resolve({ scenario: [OFF, HOLD] }), resolve({ scenario: [HOLD] })];
    const flight = (name: string, { definition: given, hash }: typeof crash) => ({
      name,
      definition: given,
      hash,
      endUs: 6e7,
    });
    const made = { ...flight("healthy", healthy), parentHash: crash.hash };
    const [ofCrash, ofHealthy] = familyOf([flight("crash", crash), made]);
    expect(ofCrash).toBeUndefined();
    expect(ofHealthy).toMatchObject({ parent: 0, edit: { forkUs: 10_000_000, added: [] } });
    expect(ofHealthy!.edit.removed).toHaveLength(1);
    // Without the parent's hash, the flight with fewer events is the parent.
    expect(familyOf([flight("crash", crash), flight("healthy", healthy)])[0]).toMatchObject({ parent: 1 });
    // Parent hashes cannot form a cycle.
    const both = [{ ...flight("crash", crash), parentHash: healthy.hash }, made];
    expect(familyOf(both).filter((branch) => branch === undefined)).toHaveLength(1);
  });

  it("does not depend on the order of the files", () => {
    const flights = { a: definition([]), b: definition([OFF]), c: definition([OFF, GUST]) };
    const reversed = Object.fromEntries(Object.entries(flights).reverse()) as typeof flights;
    expect(familyTable(reversed)).toEqual(familyTable(flights));
  });

  it("prefers a complete recording to one that ends before the fork", () => {
    const flights = { cut: definition([]), whole: definition([]), off: definition([OFF]) };
    expect(familyTable(flights, { cut: 3 })).toEqual({ whole: "root", cut: ["whole", Infinity], off: ["whole", 10] });
  });

  it("has several roots if the flights differ in more than events", () => {
    const other = definition([], { seed: 2 });
    expect(familyTable({ a: definition([]), b: other, c: definition([OFF], { seed: 2 }) })).toEqual({
      a: "root",
      b: "root",
      c: ["b", 10],
    });
  });

  it("treats flights that differ only in names, notes and length as equal up to the end of the shorter one", () => {
    const named = definition([{ ...OFF, name: "out", note: "A note." }], { name: "other" });
    const long = definition([OFF], { timeline: { endS: 400 } });
    const { endS } = definition([OFF]).timeline;
    const ends = { a: endS, b: endS, c: endS };
    expect(familyTable({ a: definition([OFF]), b: named, c: long }, ends)).toEqual({
      a: "root",
      b: ["a", Infinity],
      c: ["a", endS],
    });
  });

  it("finds the edit that made a branch", () => {
    const parent = resolve({ scenario: [OFF, GUST] });
    const child = resolveBranch(parent, { atUs: 12_000_000, events: [{ land: true }], without: [1] });
    const edit = editBetween(parent.definition, child.definition)!;
    expect(edit.forkUs).toBe(12_000_000);
    expect(edit.added.map(({ action }) => action)).toEqual(["land"]);
    expect(edit.removed.map(({ action }) => action)).toEqual(["gust"]);
  });

  it("forks at the condition's `from`, or at the start if the condition has no `from`", () => {
    const fork = (event: PlainObject) => editBetween(definition([]), definition([event]))!.forkUs;
    expect(fork({ when: "altitudeM > 5", hold: true })).toBe(0);
    expect(fork({ when: "altitudeM > 5", fromS: 7, hold: true })).toBe(7_000_000);
    expect(fork({ step: 3, hold: true })).toBe(0);
  });
});
