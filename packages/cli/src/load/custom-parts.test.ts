/** Custom parts from modules: an error names the part and the member. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coreRegistry, flyFlightNow, mustResolve, type PlainObject, resolveFlight, SimError } from "@escapement/core";
import { withCustomParts } from "./custom-parts.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-parts-"));
afterAll(() => rmSync(folder, { recursive: true }));

let modules = 0;
async function load(text: string) {
  const path = join(folder, `parts-${(modules += 1)}.mjs`);
  writeFileSync(path, text);
  return withCustomParts(coreRegistry, [path]);
}

const kind = (rest: string) => `{ name: "mine", about: "", version: 1, params: {}, ${rest} }`;
const WIND = "sampleInto: () => {}, save() {}, load() {}";

async function fly(text: string, spec: PlainObject): Promise<void> {
  const registry = await load(text);
  const flight = { file: "test", spec: { extends: "drop", timeline: { endS: 0.1 }, ...spec } };
  flyFlightNow(mustResolve(resolveFlight(flight, registry)), registry);
}

async function errorOf(attempt: Promise<unknown>): Promise<SimError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SimError);
  return error as SimError;
}

describe("a module with custom parts", () => {
  it.each([
    ["winds = {}", "CLI-008", "winds"],
    ["vehicles = { heavy: 3 }", "CLI-008", "vehicles"],
    ["winds = [3]", "CLI-013", "winds winds[0]"],
    ["winds = [{ about: '', version: 1, params: {}, make() {} }]", "CLI-013", "winds winds[0] name"],
    ["winds = [{ name: 'mine', about: '', params: {}, make() {} }]", "CLI-013", 'winds "mine" version'],
    ["winds = [{ name: 'mine', about: '', version: 1, make() {} }]", "CLI-013", 'winds "mine" params'],
    [`winds = [${kind("mak() {}")}]`, "CLI-013", 'winds "mine" make'],
    [
      "winds = [{ name: 'mine', about: '', version: 1, params: { speed: { type: 'int' } }, make() {} }]",
      "CLI-013",
      'winds "mine" params.speed',
    ],
  ])("is rejected when it is loaded: %s", async (text, code, key) => {
    const error = await errorOf(load(`export const ${text};`));
    expect([error.code, error.where.key]).toEqual([code, key]);
  });

  it.each([
    ["winds", "wind", "make: () => 3", "make"],
    ["winds", "wind", "make: () => ({ sampleInto() {}, save() {} })", "load"],
    ["winds", "wind", "make: () => ({ sampelInto() {}, save() {}, load() {} })", "sampleInto"],
    ["estimators", "estimator", 'make: () => ({ writer: "wind" })', "writer"],
    ["autopilots", "autopilot", 'make: () => ({ writer: "autopilot" })', "axis"],
    ["integrators", "integrator", "make: () => ({ order: 4, stats: {} })", "advance"],
  ])("is rejected when a part of %s lacks a member: %s, %s", async (family, section, rest, member) => {
    const error = await errorOf(fly(`export const ${family} = [${kind(rest)}];`, { [section]: "mine" }));
    expect(error.code).toBe("CLI-013");
    expect(error.what).toMatch(
      new RegExp(`^the part "mine" of .*parts-\\d+\\.mjs .*\\b${member === "make" ? "made 3" : member}`),
    );
  });

  it("is reported with part, method and line if its code throws", async () => {
    const making = await errorOf(fly(`export const winds = [${kind("make() { null.x; }")}];`, { wind: "mine" }));
    expect([making.code, making.what]).toEqual(["CLI-014", expect.stringContaining("threw in make: TypeError")]);
    const text = `export const winds = [${kind(`make: () => ({ ${WIND},\n sampleInto() { undefined.x; } })`)}];`;
    const flying = await errorOf(fly(text, { wind: "mine" }));
    expect(flying.code).toBe("CLI-014");
    expect(flying.what).toMatch(/^the part "mine" of .*\.mjs, line 2, threw in sampleInto: TypeError/);
  });

  it("flies if no member is missing, even with private fields and getters", async () => {
    const text = `class Still { #calls = 0; get calls() { return this.#calls; }
      sampleInto(out) { this.#calls += 1; out.fill(0); } save() {} load() {} }
      export const winds = [${kind("make: () => new Still()")}];`;
    await expect(fly(text, { wind: "mine" })).resolves.toBeUndefined();
  });
});
