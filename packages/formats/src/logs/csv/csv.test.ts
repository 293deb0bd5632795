/** CSV logs: exact bytes, exact values, and damaged files. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { bitsOf, COLUMNS, expectedColumn, writeRows } from "../../../../../tests/support/log-rows.ts";
import { MemoryBytes, type ByteSink } from "../../bytes/byte-sink.ts";
import { CsvSink } from "./sink.ts";
import { readCsv } from "./reader.ts";

const PROVENANCE = { flight: "a1b2c3", fingerprint: "fp1", escapement: "0.1.0", note: ' "odd"\nvalue ' };

async function writeLog(count: number): Promise<Uint8Array> {
  const bytes = new MemoryBytes();
  await writeRows(new CsvSink(bytes, PROVENANCE), count);
  return bytes.bytes();
}

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return (error as SimError).code;
  }
  return "none";
}

describe("CSV logs", () => {
  it("are readable text", async () => {
    const bytes = new MemoryBytes();
    const sink = new CsvSink(bytes, PROVENANCE);
    sink.open(COLUMNS.slice(0, 2));
    sink.row(0, [0.1, -0]);
    sink.row(20_000, [1e-7, 1e21]);
    await sink.close();
    expect(new TextDecoder().decode(bytes.bytes())).toBe(
      [
        "# escapement-log = 1",
        "# flight = a1b2c3",
        "# fingerprint = fp1",
        "# escapement = 0.1.0",
        '# note = " \\"odd\\"\\nvalue "',
        "# units = us,m,m",
        "time_us,pos_ned_n_m,pos_ned_e_m",
        "0,0.1,-0",
        "20000,1e-7,1e+21",
        "# rows = 2, crc32 = ee1e75e8",
        "",
      ].join("\n"),
    );
  });

  it("preserve every bit, the units and the provenance", async () => {
    const table = readCsv(await writeLog(200));
    expect([...table.columns.keys()]).toEqual(["time_us", ...COLUMNS.map((column) => column.name)]);
    expect(table.units.get("wind_ned_d_mps")).toBe("m/s");
    expect(table.provenance).toEqual(PROVENANCE);
    expect(table.missing).toBeUndefined();
    expect(table.columns.get("time_us")![199]).toBe(199 * 20_000);
    COLUMNS.forEach(({ name }, i) => {
      expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(expectedColumn(i, 200)));
    });
  });

  it("preserve any finite number", async () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(finite, finite), { minLength: 1 }), async (rows) => {
        const bytes = new MemoryBytes();
        const sink = new CsvSink(bytes);
        sink.open(COLUMNS.slice(0, 2));
        rows.forEach((row, i) => sink.row(i, row));
        await sink.close();
        const table = readCsv(bytes.bytes());
        expect(bitsOf(table.columns.get("pos_ned_n_m")!)).toEqual(bitsOf(rows.map((row) => row[0])));
        expect(bitsOf(table.columns.get("pos_ned_e_m")!)).toEqual(bitsOf(rows.map((row) => row[1])));
      }),
    );
  });

  it("are identical for identical flights, at any speed of the byte sink", async () => {
    const memory = new MemoryBytes();
    const slow: ByteSink = {
      write: async (bytes) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        memory.write(bytes);
      },
      close: () => {},
    };
    const sink = new CsvSink(slow, PROVENANCE);
    expect(sink.neverFull).toBe(false);
    await writeRows(sink, 6000);
    const fast = await writeLog(6000);
    expect(fast.length).toBeGreaterThan(3 * 65536);
    expect(Buffer.compare(memory.bytes(), fast)).toBe(0);
  });

  it("are complete for a flight without rows", async () => {
    const bytes = new MemoryBytes();
    await writeRows(new CsvSink(bytes), 0);
    const table = readCsv(bytes.bytes());
    expect(table.columns.get("time_us")).toHaveLength(0);
    expect(table.missing).toBeUndefined();
  });

  it("reject values that they cannot represent", () => {
    const open = (columns = COLUMNS) => {
      const sink = new CsvSink(new MemoryBytes());
      sink.open(columns);
      return sink;
    };
    expect(codeOf(() => open().row(0, [1, NaN, 0, 0]))).toBe("LOG-001");
    expect(codeOf(() => open().row(0, [1, 2, Infinity, 0]))).toBe("LOG-001");
    expect(codeOf(() => open().row(0, [1, 2, 3]))).toBe("LOG-001");
    expect(codeOf(() => open([COLUMNS[0]!, COLUMNS[0]!]))).toBe("LOG-002");
    expect(codeOf(() => open([{ name: "a,b", unit: "m", about: "" }]))).toBe("LOG-002");
    expect(codeOf(() => open([{ name: "time_us", unit: "us", about: "" }]))).toBe("LOG-002");
    expect(codeOf(() => new CsvSink(new MemoryBytes(), { units: "m" }))).toBe("LOG-008");
    const sink = open();
    sink.row(5, [0, 0, 0, 0]);
    expect(codeOf(() => sink.row(5, [0, 0, 0, 0]))).toBe("LOG-003");
    expect(codeOf(() => sink.row(5.5, [0, 0, 0, 0]))).toBe("LOG-003");
  });

  it("report a slow byte sink that failed in the background", async () => {
    const sink = new CsvSink({
      write: () => Promise.reject(new Error("no space")),
      close: () => expect.unreachable("it failed"),
    });
    sink.open(COLUMNS);
    for (let i = 0; i < 4000; i += 1) sink.row(i, [i / 3, i / 7, i / 11, i / 13]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    await expect(sink.close()).rejects.toThrow("no space");
  });

  it("reject other files and versions", async () => {
    const text = new TextDecoder().decode(await writeLog(1));
    const read = (changed: string) => codeOf(() => readCsv(new TextEncoder().encode(changed)));
    expect(read("")).toBe("LOG-005");
    expect(read("time_us,a\n0,1\n")).toBe("LOG-005");
    const body = text.slice(0, text.lastIndexOf("# rows"));
    expect(read(body.replace("log = 1", "log = 2"))).toBe("LOG-006");
  });
});

describe("the CSV reader", () => {
  const COUNT = 12;

  it("returns every complete row of a log cut at any byte, and reports what is missing", async () => {
    const whole = await writeLog(COUNT);
    const text = new TextDecoder().decode(whole);
    const firstRow = text.indexOf("\n0,") + 1;
    for (let length = 0; length < whole.length; length += 1) {
      const cut = whole.subarray(0, length);
      if (length < firstRow) {
        expect(codeOf(() => readCsv(cut))).toMatch(/^LOG-00[45]$/);
        continue;
      }
      const table = readCsv(cut);
      const rows = Math.min(COUNT, text.slice(firstRow, length).split("\n").length - 1);
      expect(table.columns.get("time_us")).toHaveLength(rows);
      expect(table.missing).toContain(`${rows} rows`);
      COLUMNS.forEach(({ name }, i) => {
        expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(expectedColumn(i, rows)));
      });
    }
  });

  it("never returns a wrong value if one byte changed", async () => {
    const whole = await writeLog(COUNT);
    let refused = 0;
    for (let at = 0; at < whole.length; at += 1) {
      for (const flip of [1, 2, 4, 8, 16, 32, 64, 128, 0x3a]) {
        const changed = whole.slice();
        changed[at]! ^= flip;
        try {
          const table = readCsv(changed);
          // Only a change of the last line feed is not detected. The values must then be the same.
          COLUMNS.forEach(({ name }, i) => {
            expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(expectedColumn(i, COUNT)));
          });
          expect(table.provenance).toEqual(PROVENANCE);
          expect(table.missing).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
          refused += 1;
        }
      }
    }
    expect(refused).toBeGreaterThan(8 * (whole.length - 1));
  });

  it("never crashes on arbitrary bytes", () => {
    const line = fc.constantFrom("# escapement-log = 1\n", "# units = us,m\n", "time_us,a\n", "0,1\n", "1,x\n", "# a = \n", '# a = "\n', "\xff", "# rows = 1, crc32 = 00000000\n"); // prettier-ignore
    const soup = fc.array(line).map((lines) => Uint8Array.from(lines.join(""), (letter) => letter.charCodeAt(0)));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), soup), (bytes) => {
        try {
          readCsv(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
    );
  });
});
