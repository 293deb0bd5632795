/** The compressed files of the viewer stay within their size budgets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltCommand, buildCommand, CommandSession } from "../support/command.ts";

const temporary = mkdtempSync(join(tmpdir(), "escapement-sizes-"));
let command: BuiltCommand;
let folder = "";

beforeAll(async () => {
  command = await buildCommand();
  folder = join(command.folder, "view");
});
afterAll(() => rmSync(temporary, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, name));

/** Returns the compressed size in kilobytes. */
function packedKilobytes(...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0) / 1000;
}

/** Returns a script and everything that it loads before it runs. */
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
  it("are within the budget for every part", () => {
    const page = withImports("page.js");
    expect(packedKilobytes(...page)).toBeLessThan(60);
    expect(packedKilobytes(...page, "view.css")).toBeLessThan(70);
    expect(packedKilobytes("view.css")).toBeLessThan(8);
    const engine = withImports("engine.js");
    expect([...engine].some((name) => name.startsWith("engine-core"))).toBe(true);
    expect(packedKilobytes(...engine)).toBeLessThan(320);
    const lazy = (name: string) => [...withImports(name)].filter((each) => !page.has(each));
    expect(packedKilobytes(...lazy("scene.js"))).toBeLessThan(165);
    expect(packedKilobytes(...lazy("editor.js"))).toBeLessThan(125);
    expect(packedKilobytes(...lazy("side.js"))).toBeLessThan(35);
  });

  it("are within the budget together, without HDF5", () => {
    // Omit the licences and the scripts of one-file pages, which the page does not load.
    const names = readdirSync(folder).filter((name) => !/^(?:whole-|hdf5)|\.txt$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    expect(packedKilobytes(...names)).toBeLessThan(700);
  });

  it("do not include the file readers, which are loaded when a file is opened", () => {
    const engine = withImports("engine.js");
    const others = readdirSync(folder).filter((name) => name.endsWith(".js") && !name.startsWith("whole-"));
    // Texts that occur in the readers of Parquet, PX4 logs, Zstandard and HDF5.
    for (const mark of ["PAR1", "vehicle_local_position_groundtruth", "invalid zstd data", "fletcher32"]) {
      const holders = others.filter((name) => read(name).includes(mark));
      expect([mark, holders.length]).toEqual([mark, 1]);
      expect([...engine]).not.toContain(holders[0]);
    }
  });

  it("are within the budget for the one-file page", async () => {
    const path = join(temporary, "page.html");
    const session = new CommandSession(command, temporary);
    expect(await session.run(["view", "--save", path, "mission"])).toMatchObject({ code: 0 });
    expect(statSync(path).size).toBeLessThan(2_300_000);
  });
});
