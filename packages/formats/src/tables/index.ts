/** Results tables: one row per flight of a campaign, as Parquet. */
export { type Cell, type CellType, type ResultColumn } from "./columns.ts";
export { openResults, readResults, type ResultGroup, type ResultsTable } from "./reader.ts";
export { ResultsWriter } from "./writer.ts";
