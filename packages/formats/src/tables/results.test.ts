/** Results tables: every value through our reader and Arrow's, stable bytes, typed errors for damaged files. */
import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { readParquet as readByArrow } from "parquet-wasm";
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { type ByteSink, MemoryBytes } from "../bytes/byte-sink.ts";
import type { Cell, ResultColumn } from "./columns.ts";
import { openResults, readResults } from "./reader.ts";
import { ResultsWriter } from "./writer.ts";

const column = (name: string, type: ResultColumn["type"], isOptional: boolean, unit = ""): ResultColumn => {
  return { name, type, unit, about: `about ${name}`, isOptional };
};
const COLUMNS = [
  column("k", "int32", false),
  column("fingerprint", "string", true),
  column("outcome", "string", false),
  column("vary.wind.w20Mps", "double", false, "m/s"),
  column("req.stays up.verdict", "string", true),
  column("req.stays up.margin", "double", true, "m"),
];
const METADATA = { campaign: '{"name":"odd \\"value\\" – ü\\n"}', code: "9bb5725a1c20" };
const OUTCOMES = ["completed", "crashed", "zerfällt — 崩壊 🛸"];
const MARGINS = [1.5, 0, -0, Infinity, -Infinity, null, 5e-324, -1.7976931348623157e308];

function rowOf(k: number): Cell[] {
  return [
    k * 3 - 5,
    k % 7 === 0 ? null : `fp1:${(k * 2_654_435_761) % 65_536}-544a`,
    OUTCOMES[k % 3]!,
    3 + (k % 100) / 7,
    k % 5 === 0 ? null : k % 2 === 0 ? "holds" : "violated",
    MARGINS[k % MARGINS.length]!,
  ];
}

async function writeTable(
  count: number,
  sink: ByteSink & { bytes?(): Uint8Array } = new MemoryBytes(),
  groupRows = 64,
) {
  const writer = new ResultsWriter(sink, COLUMNS, METADATA, groupRows);
  for (let k = 0; k < count; k += 1) {
    writer.row(rowOf(k));
    if (writer.isFull) await writer.drain();
  }
  await writer.close();
  return sink.bytes?.() ?? new Uint8Array();
}

/** The cells with −0 as text, so that it differs from 0. */
const exact = (cells: Iterable<unknown>) => Array.from(cells, (cell) => (Object.is(cell, -0) ? "-0" : cell));
const expectedColumn = (i: number, count: number) => exact(Array.from({ length: count }, (_, k) => rowOf(k)[i]!));

describe("results tables", () => {
  it.each([0, 1, 64, 65, 500])("keep every value of %i rows", async (count) => {
    const table = await openResults(await writeTable(count));
    expect(table.columns).toEqual(COLUMNS);
    expect(table.rows).toBe(count);
    expect(table.metadata).toEqual(METADATA);
    const values = await readResults(table);
    COLUMNS.forEach(({ name }, i) => expect(exact(values.get(name)!)).toEqual(expectedColumn(i, count)));
  });

  it("are read by Arrow: types, nulls, infinities, zeros and metadata", async () => {
    const table = tableFromIPC(readByArrow(await writeTable(500)).intoIPCStream());
    expect(table.schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable])).toEqual(
      COLUMNS.map(({ name, type, isOptional }) => [
        name,
        { int32: "Int32", double: "Float64", string: "Utf8" }[type],
        isOptional,
      ]),
    );
    COLUMNS.forEach(({ name }, i) => expect(exact(table.getChild(name)!)).toEqual(expectedColumn(i, 500)));
    expect(table.schema.metadata.get("campaign")).toBe(METADATA.campaign);
  });

  it("have the same bytes at any speed of the sink", async () => {
    const memory = new MemoryBytes();
    const slow = {
      write: async (bytes: Uint8Array) => {
        const copy = bytes.slice();
        await Promise.resolve();
        memory.write(copy);
      },
      close: () => {},
    };
    await writeTable(3000, slow);
    expect(Buffer.compare(memory.bytes(), await writeTable(3000))).toBe(0);
  });

  it("reject a cell that does not fit its column, and a name given twice", () => {
    const writer = () => new ResultsWriter(new MemoryBytes(), COLUMNS);
    const wrong: [index: number, cell: Cell, text: RegExp][] = [
      [0, 1.5, /row 0: column "k" \(int32\) cannot hold 1\.5/],
      [0, 2 ** 31, /cannot hold 2147483648/],
      [0, null, /cannot hold null/],
      [2, 7, /column "outcome" \(string\) cannot hold 7/],
      [3, NaN, /cannot hold/],
      [5, "2 m", /cannot hold "2 m"/],
    ];
    for (const [index, cell, text] of wrong) {
      const row = rowOf(1);
      row[index] = cell;
      expect(() => writer().row(row)).toThrow(text);
    }
    expect(() => new ResultsWriter(new MemoryBytes(), [COLUMNS[0]!, COLUMNS[0]!])).toThrow(/"k" is given twice/);
  });

  it("are rejected without a crash if cut or damaged", async () => {
    const whole = await writeTable(80);
    const read = async (bytes: Uint8Array) => {
      try {
        const table = await openResults(bytes);
        return [table.metadata, await readResults(table)];
      } catch (error) {
        expect(error).toBeInstanceOf(SimError);
        expect((error as SimError).code).toMatch(/^(TABLE-00[1-5]|FILE-025)$/);
        return "refused";
      }
    };
    const table = await read(whole);
    for (let length = 0; length < whole.length; length += 13)
      expect(await read(whole.subarray(0, length))).toBe("refused");
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = whole.slice();
        changed[at]! ^= flip;
        const outcome = await read(changed);
        // Some bytes of the footer are never read. If one of them changes, the result must be the same.
        if (outcome !== "refused") expect(outcome).toEqual(table);
      }),
      { numRuns: 300 },
    );
  });
});
