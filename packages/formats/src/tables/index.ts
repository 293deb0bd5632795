/** Results tables: one row per flight of a campaign, as Parquet. */
export { openResults, readResults } from "./reader.ts";
export { ResultsWriter } from "./writer.ts";
