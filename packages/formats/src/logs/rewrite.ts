/** Logs made without flying: from the rows of a recording, or from another log. The same sinks, so the same bytes. */
import { type Column, type Recording, RecordedRows } from "@escapement/core";
import { logErrors } from "./errors.ts";
import type { LogSink } from "./log-sink.ts";
import { TIME_COLUMN } from "./rows.ts";
import type { Table } from "./rows.ts";

/** Shows a sink what it would have been shown while the recording was flown, and closes it. */
export async function logRecording(recording: Recording, sink: LogSink): Promise<void> {
  const rows = new RecordedRows(recording);
  await filled(sink, rows.columns, async () => {
    while (rows.next()) {
      sink.row(rows.tUs, rows.row);
      if (sink.isFull) await sink.drain();
    }
  });
}

/** A typed error for a log whose columns have times of their own, which has no rows. */
export function mustHaveRows({ columns }: Table): Float64Array {
  const timesUs = columns.get(TIME_COLUMN.name);
  if (timesUs !== undefined) return timesUs;
  throw logErrors.noRows({
    what: "the topics of this log have each their own times, so it has no rows",
    fix: "convert the recording of the flight instead",
  });
}

/** Shows a sink the rows of another log. */
export async function logTable(table: Table, sink: LogSink): Promise<void> {
  const timesUs = mustHaveRows(table);
  const { columns, units, abouts } = table;
  const names = [...columns.keys()].filter((name) => name !== TIME_COLUMN.name);
  const values = names.map((name) => columns.get(name)!);
  const row = new Float64Array(names.length);
  const described = names.map((name) => ({ name, unit: units.get(name) ?? "", about: abouts?.get(name) ?? "" }));
  await filled(sink, described, async () => {
    for (let i = 0; i < timesUs.length; i += 1) {
      for (let k = 0; k < row.length; k += 1) row[k] = values[k]![i]!;
      sink.row(timesUs[i]!, row);
      if (sink.isFull) await sink.drain();
    }
  });
}

/** Opens, fills and closes; what could not be made whole is let go of, so that nothing half made has its name. */
async function filled(sink: LogSink, columns: readonly Column[], fill: () => Promise<void>): Promise<void> {
  try {
    sink.open(columns);
    await fill();
  } catch (error) {
    await Promise.allSettled([sink.discard()]);
    throw error;
  }
  await sink.close();
}
