/** Rows rebuilt from a recording equal, bit for bit, the rows that sinks received in flight. */
import { describe, expect, it } from "vitest";
import { flyRecorded, motor, scenario, source, springCart, windCart } from "../../../../tests/support/flights.ts";
import { checkRecording, RecordedColumns, RecordedRows, type Recording, recordingUntil } from "./index.ts";

function rowsOf(recording: Recording): { tUs: number; row: Float64Array }[] {
  const rows = new RecordedRows(recording);
  const all: { tUs: number; row: Float64Array }[] = [];
  while (rows.next()) all.push({ tUs: rows.tUs, row: Float64Array.from(rows.row) });
  return all;
}

const bits = (row: Float64Array) => [...new BigUint64Array(row.buffer)];

describe("[L9.6] the rows of a recording", () => {
  const flown = flyRecorded({
    endUs: 1_003_700,
    plant: springCart(),
    scenario: scenario(70_000, (clock, bus) => {
      bus.windGustNed[0] = clock.us > 300_000 ? 0.1 : -0;
      bus.motorGain[0] = clock.us > 500_000 ? 0.25 : 1;
    }),
    wind: source("wind", 30_000, (clock, bus) => void bus.windBaseNed.set([0.2, -clock.s, 0.7])),
    autopilot: motor(4_000, (tUs) => (tUs % 7) / 7),
    logPeriodUs: 11_000,
  });

  it("equal the rows that a sink received", () => {
    const rows = rowsOf(flown.recording);
    expect(rows.map(({ tUs }) => tUs)).toEqual(flown.sink.timesUs);
    expect(rows.length).toBeGreaterThan(90);
    rows.forEach(({ row }, i) => expect(bits(row)).toEqual(bits(flown.sink.rows[i]!)));
  });

  it("are the same when read column by column", () => {
    const columns = new RecordedColumns(flown.recording);
    expect(columns.columns).toEqual(flown.sink.columns);
    expect([...columns.timesUs]).toEqual(flown.sink.timesUs);
    columns.columns.forEach((_, i) => {
      const expected = Float64Array.from(flown.sink.rows, (row) => row[i]!);
      expect(bits(columns.column(i))).toEqual(bits(expected));
    });
  });

  it("have the columns of the sink", () => {
    expect(new RecordedRows(flown.recording).columns).toEqual(flown.sink.columns);
  });

  it("hold initial values for writers that never ran", () => {
    const { recording, sink } = flyRecorded({ endUs: 50, plant: windCart(), logPeriodUs: 10 });
    const rows = rowsOf(recording);
    expect(rows).toHaveLength(6);
    rows.forEach(({ row }, i) => expect(bits(row)).toEqual(bits(sink.rows[i]!)));
    const columns = new RecordedColumns(recording);
    columns.columns.forEach((_, i) => expect(columns.column(i)[5]).toBe(sink.rows[5]![i]));
  });
});

describe("the beginning of a recording", () => {
  const { recording } = flyRecorded({
    endUs: 100_000,
    plant: springCart(),
    autopilot: motor(4_000, (tUs) => (tUs % 7) / 7),
    logPeriodUs: 11_000,
  });

  it("ends at the last log tick before a time, and is a recording itself", () => {
    const part = recordingUntil(recording, 54_000);
    checkRecording(part);
    expect(part.endUs).toBe(44_000);
    expect([...part.boundaries.timesUs].at(-1)).toBe(44_000);
    const rows = rowsOf(part);
    expect(rows).toHaveLength(5);
    rows.forEach(({ row }, i) => expect(bits(row)).toEqual(bits(rowsOf(recording)[i]!.row)));
    expect(part.digests.plant).toBe("");
  });

  it("is the recording itself if nothing is omitted, and has at least the first instant", () => {
    expect(recordingUntil(recording, 100_000)).toBe(recording);
    expect(recordingUntil(recording, 5).endUs).toBe(0);
  });
});
