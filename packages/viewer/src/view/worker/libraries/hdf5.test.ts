/** The reader in plain JavaScript reads files that the HDF5 library wrote. */
import { describe, expect, it } from "vitest";
import { bitsOf, COLUMNS, expectedColumn, writeRows } from "../../../../../../tests/support/log-rows.ts";
import { MemoryBytes, openLog } from "@escapement/formats";
import { File, ready } from "./hdf5.ts";

const ROWS = 3000;

async function writeFile(): Promise<Uint8Array> {
  const bytes = new MemoryBytes();
  await writeRows(await openLog("hdf5", bytes, { provenance: { flight: "a1b2c3", seed: "7" } }), ROWS);
  return bytes.bytes();
}

describe("HDF5 in a page", () => {
  it("returns the exact values, the units and the provenance", async () => {
    const { FS } = await ready;
    FS.writeFile("/a.h5", await writeFile());
    const file = new File("/a.h5");
    COLUMNS.forEach(({ name, unit }, i) => {
      const { value, shape, attrs } = file.get(name);
      expect([name, bitsOf(value)]).toEqual([name, bitsOf(expectedColumn(i, ROWS))]);
      expect([shape, attrs["unit"]!.value]).toEqual([[ROWS], unit]);
    });
    expect([file.attrs["flight"]!.value, file.attrs["seed"]!.value]).toEqual(["a1b2c3", "7"]);
  });

  it("throws on a truncated file", async () => {
    const { FS } = await ready;
    FS.writeFile("/b.h5", (await writeFile()).subarray(0, 700));
    expect(() => new File("/b.h5").get(COLUMNS[0]!.name).value).toThrow();
    FS.unlink("/b.h5");
  });
});
