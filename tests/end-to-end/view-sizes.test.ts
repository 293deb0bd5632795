/** The viewer stays small: the sizes of its files, compressed, against their budgets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltCommand, buildCommand } from "../support/command.ts";

const temporary = mkdtempSync(join(tmpdir(), "escapement-sizes-"));
let command: BuiltCommand;
let folder = "";

beforeAll(async () => {
  command = await buildCommand();
  folder = join(command.folder, "view");
});
afterAll(() => rmSync(temporary, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, name));

/** Kilobytes over the wire. */
function packed(...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0) / 1000;
}

/** A script and everything that it loads before it runs. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  found.add(name);
  for (const [, other] of read(name)
    .toString()
    .matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) {
    if (!found.has(other!)) withImports(other!, found);
  }
  return found;
}

describe("sizes of the viewer", () => {
  it("every part is within its budget", () => {
    const page = withImports("page.js");
    expect(packed(...page)).toBeLessThan(60);
    expect(packed(...page, "view.css")).toBeLessThan(70);
    expect(packed("view.css")).toBeLessThan(8);
    const engine = withImports("engine.js");
    expect([...engine].some((name) => name.startsWith("engine-core"))).toBe(true);
    expect(packed(...engine)).toBeLessThan(320);
    const lazy = (name: string) => [...withImports(name)].filter((each) => !page.has(each));
    expect(packed(...lazy("scene.js"))).toBeLessThan(165);
    expect(packed(...lazy("editor.js"))).toBeLessThan(125);
    expect(packed(...lazy("side.js"))).toBeLessThan(35);
  });

  it("everything without HDF5 is within its budget", () => {
    // The page loads neither the licences nor the scripts of pages that are one file.
    const names = readdirSync(folder).filter((name) => !/^(?:whole-|hdf5)|\.txt$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    // The goal is 700.
    expect(packed(...names)).toBeLessThan(710);
  });

  it("the readers of files are not loaded before a file is opened", () => {
    const engine = withImports("engine.js");
    const others = readdirSync(folder).filter((name) => name.endsWith(".js") && !name.startsWith("whole-"));
    // Texts that the readers of Parquet, PX4's logs, Zstandard and HDF5 contain.
    for (const mark of ["PAR1", "vehicle_local_position_groundtruth", "invalid zstd data", "fletcher32"]) {
      const holders = others.filter((name) => read(name).includes(mark));
      expect([mark, holders.length]).toEqual([mark, 1]);
      expect([...engine]).not.toContain(holders[0]);
    }
  });

  it("the page in one file is within its budget", async () => {
    const path = join(temporary, "page.html");
    expect(await command.run(["view", "--save", path, "mission"])).toMatchObject({ code: 0 });
    expect(statSync(path).size).toBeLessThan(2_300_000);
  });
});
