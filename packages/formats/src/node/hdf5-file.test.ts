/**
 * HDF5 logs: exact values, stable bytes, and no file name until complete; also checked by h5dump if it is installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { bitsOf, COLUMNS, expectedColumn, writeRows } from "../../../../tests/support/log-rows.ts";
import { readHdf5 } from "../logs/hdf5/reader.ts";
import { openHdf5File } from "./hdf5-file.ts";
import { partName } from "./parts.ts";
import { volume } from "../../../../tests/support/volume.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-hdf5-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const freshPath = () => join(folder, `log-${(count += 1)}.h5`);
const PROVENANCE = { flight: "a1b2c3", escapement: "0.1.0" };

async function writeLog(rows: number): Promise<string> {
  const path = freshPath();
  await writeRows(await openHdf5File(path, PROVENANCE), rows);
  return path;
}

async function errorOf(act: () => unknown): Promise<SimError> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return error as SimError;
  }
  throw new Error("nothing was thrown");
}

describe("HDF5 logs", () => {
  it.each([0, 1, 100, 4096, 4097, 9000])("preserve every bit of %i rows", async (rows) => {
    const table = await readHdf5(readFileSync(await writeLog(rows)));
    expect([...table.columns.keys()]).toEqual(["time_us", ...COLUMNS.map((column) => column.name)]);
    expect(table.columns.get("time_us")).toHaveLength(rows);
    COLUMNS.forEach(({ name, unit }, i) => {
      expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(expectedColumn(i, rows)));
      expect(table.units.get(name)).toBe(unit);
    });
    expect(table.provenance).toEqual(PROVENANCE);
  });

  it("are identical for identical flights, at any time of day", async () => {
    const first = readFileSync(await writeLog(5000));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(readFileSync(await writeLog(5000)).equals(first)).toBe(true);
  });

  it("appear under their name only when complete", async () => {
    const path = freshPath();
    const sink = await openHdf5File(path);
    sink.open(COLUMNS);
    for (let i = 0; i < 5000; i += 1) sink.row(i, [1, 2, 3, 0]);
    expect(existsSync(path)).toBe(false);
    await sink.close();
    expect(existsSync(path)).toBe(true);
    const unopened = freshPath();
    await (await openHdf5File(unopened)).close();
    expect(existsSync(unopened)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("reject a second writer and an existing file", async () => {
    const path = freshPath();
    const first = await openHdf5File(path);
    expect((await errorOf(() => openHdf5File(path))).code).toBe("FILE-020");
    await writeRows(first, 3);
    expect((await errorOf(() => openHdf5File(path))).code).toBe("FILE-020");
    await writeRows(await openHdf5File(path, {}, { overwrite: true }), 4);
    expect((await readHdf5(readFileSync(path))).columns.get("time_us")).toHaveLength(4);
    expect((await errorOf(() => openHdf5File(join(folder, "nowhere", "a.h5")))).code).toBe("FILE-023");
  });

  it("are rejected without a crash if cut, damaged or of a different format", async () => {
    const whole = readFileSync(await writeLog(10));
    expect((await errorOf(() => readHdf5(Uint8Array.of(1, 2, 3)))).code).toBe("LOG-005");
    for (const length of [8, 100, 1000, Math.floor(whole.length / 2), whole.length - 1]) {
      expect((await errorOf(() => readHdf5(whole.subarray(0, length)))).code).toBe("LOG-004");
    }
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Uint8Array.from(whole);
        changed[at]! ^= flip;
        try {
          await readHdf5(changed);
          expect.unreachable("a changed byte was not detected");
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
      { numRuns: volume(40, 200) },
    );
  });

  it("are read by h5dump, value for value", async (context) => {
    if (spawnSync("h5dump", ["--version"]).status !== 0) context.skip("h5dump is not installed (Debian: hdf5-tools)");
    const path = await writeLog(50);
    const dump = spawnSync("h5dump", ["-d", "/pos_ned_n_m", "-m", "%.17g", path], { encoding: "utf8" }).stdout;
    expect(dump).toContain("H5T_IEEE_F64LE");
    expect(dump).toContain('"m"');
    const numbers = [...dump.matchAll(/^\s*\(\d+\): (.*?),?$/gm)].flatMap((match) => match[1]!.split(", ").map(Number));
    const data = numbers.slice(0, 50);
    expect(bitsOf(data)).toEqual(bitsOf(expectedColumn(0, 50)));
    const attributes = spawnSync("h5dump", ["-A", path], { encoding: "utf8" }).stdout;
    for (const text of ["a1b2c3", "escapement_log", "wind_ned_d_mps", "m/s"]) expect(attributes).toContain(text);
  });

  it("report an error if the library cannot write", async () => {
    const path = freshPath();
    const sink = await openHdf5File(path);
    rmSync(partName(path));
    writeFileSync(path, "taken");
    const error = await errorOf(() => writeRows(sink, 3));
    expect(error.code).toBe("FILE-020");
    expect(readFileSync(path, "utf8")).toBe("taken");
  });
});
