/**
 * Writes MCAP logs: one message per row on the topic `/log`, one float64 field per column, for Foxglove and
 * PlotJuggler. An attachment contains names, units, descriptions and provenance. Chunks are compressed and have
 * checksums.
 */
import type { Column, Readable } from "@escapement/core";
import { numberMessage } from "../../mcap/ros2msg.ts";
import type { Compressor } from "../../mcap/compressor.ts";
import { McapWriter } from "../../mcap/writer.ts";
import type { ByteSink } from "../../bytes/byte-sink.ts";
import { logErrors } from "../errors.ts";
import { LogSink } from "../log-sink.ts";
import { checkProvenance, RowGuard, type Provenance } from "../rows.ts";

export const MCAP_LOG_TOPIC = "/log";
/** Attachment with format version, columns in order, and provenance, as JSON. */
export const MCAP_LOG_ATTACHMENT = "log.json";
export const MCAP_LOG_VERSION = 1;

export interface McapLogHead {
  readonly logVersion: number;
  readonly columns: readonly Column[];
  readonly provenance: Provenance;
}

export class McapSink extends LogSink {
  readonly neverFull: boolean;
  private readonly bytes: ByteSink;
  private readonly compress: Compressor;
  private readonly provenance: Provenance;
  private guard: RowGuard | undefined;
  private mcap: McapWriter | undefined;
  private values = new Float64Array(0);
  private payload = new Uint8Array(0);

  constructor(bytes: ByteSink, compress: Compressor, provenance: Provenance = {}) {
    super();
    checkProvenance(provenance, []);
    this.bytes = bytes;
    this.compress = compress;
    this.provenance = provenance;
    this.neverFull = bytes.sync === true;
  }

  get isFull(): boolean {
    return this.mcap?.isFull === true;
  }

  open(columns: readonly Column[]): void {
    this.guard = new RowGuard(columns);
    this.values = new Float64Array(columns.length);
    this.payload = new Uint8Array(this.values.buffer);
    const fields = columns.map(({ name, unit }) => ({ name, size: 1, comment: unit }));
    this.mcap = new McapWriter(this.bytes, {
      library: "escapement",
      channels: [{ topic: MCAP_LOG_TOPIC, schemaName: "escapement/msg/Log", definition: numberMessage(fields) }],
      compress: this.compress,
    });
    const head: McapLogHead = {
      logVersion: MCAP_LOG_VERSION,
      columns: columns.map(({ name, unit, about }) => ({ name, unit, about })),
      provenance: this.provenance,
    };
    this.mcap.attach(MCAP_LOG_ATTACHMENT, "application/json", new TextEncoder().encode(JSON.stringify(head)));
  }

  row(tUs: number, row: Readable): void {
    this.guard!.check(tUs, row);
    if (tUs < 0) {
      throw logErrors.timeNotIncreasing({
        what: `an MCAP file cannot store the time ${tUs} µs`,
        where: { tUs },
        fix: "start the flight at 0 or later",
      });
    }
    const { values, mcap } = this;
    for (let i = 0; i < values.length; i += 1) values[i] = row[i]!;
    mcap!.numbers(0, tUs, this.payload);
    if (mcap!.isChunkDue(tUs)) mcap!.endChunk();
    else mcap!.saveIfOld();
  }

  async drain(): Promise<void> {
    await this.mcap?.drain();
  }

  protected override async abandon(): Promise<void> {
    await (this.bytes.discard ?? this.bytes.close).call(this.bytes);
  }

  protected override async finish(): Promise<void> {
    await (this.mcap === undefined ? this.abandon() : this.mcap.close());
  }
}
