/** Logs: sinks that turn rows into bytes, one reader for every kind, and time series by name from any file. */
export { MemoryBytes, type ByteSink } from "../bytes/byte-sink.ts";
export { CsvSink } from "./csv/sink.ts";
export type { LogSink } from "./log-sink.ts";
export { loggedFlight } from "./logged-flight.ts";
export { openLog, type LogOptions } from "./open-log.ts";
export { isLog, LOG_KINDS, readTable, type LogKind } from "./read-table.ts";
export type { LogText, Table } from "./rows.ts";
export { seriesOfRecording, seriesOfTable, type Series, type SeriesFile } from "./series.ts";
export { recoverUlog } from "./ulog/recover.ts";
export { logRecording, logRecordingStream, logTable, assertHasRows } from "./rewrite.ts";
