/** Time series by name out of any file, and any log made again from a recording. */
export { seriesOfRecording, seriesOfTable, type Series, type SeriesFile } from "./series.ts";
export { logRecording, logTable, mustHaveRows } from "./rewrite.ts";
