/** Opens a log of any kind. The larger codecs are loaded only when needed. */
import type { WorldOrigin } from "@escapement/core";
import type { Parameter } from "../params/params-file.ts";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { CsvSink } from "./csv/sink.ts";
import type { LogSink } from "./log-sink.ts";
import { narrow, type NarrowOptions } from "./narrow.ts";
import type { LogKind } from "./read-table.ts";
import type { Provenance } from "./rows.ts";

/** Options of a log: columns, rows, provenance, and data about the flight. */
export interface LogOptions extends NarrowOptions {
  readonly provenance?: Provenance;
  /** The flight's origin, for formats with global positions. */
  readonly origin?: WorldOrigin;
  /** Name of the projection that turns the flight's metres into degrees. */
  readonly projection?: string;
  /** The autopilot's parameters, for formats that store parameters. */
  readonly parameters?: readonly Parameter[];
}

/** Opens a log of a kind that is written to a byte sink. The result is a sink for a flight. */
export async function openLog(kind: LogKind, bytes: ByteSink, options: LogOptions = {}): Promise<LogSink> {
  return narrow(await open(kind, bytes, options), options);
}

async function open(kind: LogKind, bytes: ByteSink, options: LogOptions): Promise<LogSink> {
  const { provenance = {}, origin, projection, parameters } = options;
  switch (kind) {
    case "csv":
      return new CsvSink(bytes, provenance);
    case "ulog": {
      const { UlogSink } = await import("./ulog/sink.ts");
      const known = {
        ...(origin === undefined ? {} : { origin }),
        ...(projection === undefined ? {} : { projection }),
        ...(parameters === undefined ? {} : { parameters }),
      };
      return new UlogSink(bytes, { provenance, ...known });
    }
    case "mcap": {
      const [{ McapSink }, { loadCompressor }] = await Promise.all([
        import("./mcap/sink.ts"),
        import("../mcap/zstd.ts"),
      ]);
      return new McapSink(bytes, await loadCompressor(), provenance);
    }
    case "hdf5": {
      const { openHdf5 } = await import("./hdf5/memory.ts");
      return openHdf5(bytes, provenance);
    }
    case "parquet": {
      const { ParquetSink } = await import("./parquet/sink.ts");
      return new ParquetSink(bytes, provenance);
    }
  }
}
