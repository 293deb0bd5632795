/**
 * Writes a log from a recording or from another log. It uses the same sinks as a flight, so the bytes are the same as
 * if the log had been written during the flight.
 */
import { type Column, DUE_BITS, type Recording, RecordedRows } from "@escapement/core";
import type { RecordingStream } from "../recording/stream.ts";
import { logErrors } from "./errors.ts";
import type { LogSink } from "./log-sink.ts";
import { TIME_COLUMN } from "./rows.ts";
import type { Table } from "./rows.ts";

/** Writes the rows that the sink would have received during the recorded flight, and closes the sink. */
export async function logRecording(recording: Recording, sink: LogSink): Promise<void> {
  const rows = new RecordedRows(recording);
  await fill(sink, rows.columns, async () => {
    while (rows.next()) {
      sink.row(rows.tUs, rows.row);
      if (sink.isFull) await sink.drain();
    }
  });
}

/** Like `logRecording`, but for a recording that is read piece by piece. */
export async function logRecordingStream(recording: RecordingStream, sink: LogSink): Promise<void> {
  const drain = async () => (sink.isFull ? sink.drain() : undefined);
  await fill(sink, recording.columns, () =>
    recording.play(({ frame, due }, row) => {
      if ((due & DUE_BITS.log) !== 0) sink.row(frame[0]!, row);
    }, drain),
  );
}

/** Checks that a log has rows, and returns their times. Throws if its columns have separate times. */
export function assertHasRows({ columns }: Table): Float64Array {
  const timesUs = columns.get(TIME_COLUMN.name);
  if (timesUs !== undefined) return timesUs;
  throw logErrors.noRows({
    what: "each topic of this log has its own times, so it has no rows",
    fix: "convert the recording of the flight instead",
  });
}

/** Writes the rows of another log, and closes the sink. */
export async function logTable(table: Table, sink: LogSink): Promise<void> {
  const timesUs = assertHasRows(table);
  const { columns, units, abouts } = table;
  const names = [...columns.keys()].filter((name) => name !== TIME_COLUMN.name);
  const values = names.map((name) => columns.get(name)!);
  const row = new Float64Array(names.length);
  const described = names.map((name) => ({ name, unit: units.get(name) ?? "", about: abouts?.get(name) ?? "" }));
  await fill(sink, described, async () => {
    for (let i = 0; i < timesUs.length; i += 1) {
      for (let k = 0; k < row.length; k += 1) row[k] = values[k]![i]!;
      sink.row(timesUs[i]!, row);
      if (sink.isFull) await sink.drain();
    }
  });
}

/** Opens, fills and closes a sink. After a failure the log is discarded, so that no partial file appears. */
async function fill(sink: LogSink, columns: readonly Column[], writeRows: () => Promise<void>): Promise<void> {
  try {
    sink.open(columns);
    await writeRows();
  } catch (error) {
    await Promise.allSettled([sink.discard()]);
    throw error;
  }
  await sink.close();
}
