/** Saves a flight as its description, a table or a recording. For the last two, the flight is flown again. */
import { recordedOrThrow, recordingRun, Run, type Sink } from "@escapement/core";
import { CsvSink, encodeRecording, flightFileName, MemoryBytes } from "@escapement/formats";
import type { SaveFormat, TimeSpan } from "../protocol.ts";
import type { FlownFlight } from "./flown-flight.ts";
import { registry } from "./texts.ts";

interface SavedFile {
  readonly name: string;
  readonly blob: Blob;
}

export async function save({ source }: FlownFlight, as: SaveFormat, span?: TimeSpan): Promise<SavedFile> {
  const { text, resolved } = source;
  const stem = (source.name === "" ? resolved.definition.name : source.name).replace(/[^\w.-]+/g, "-");
  if (as === "toml") return { name: flightFileName(text).replace("flight", stem), blob: new Blob([text]) };
  const bytes = new MemoryBytes();
  if (as === "csv") {
    const log = new CsvSink(bytes);
    const { failure } = await new Run(resolved, { registry, sinks: [limitTo(log, span)] }).toEnd();
    if (failure !== undefined) throw failure;
  } else {
    const run = recordingRun(resolved, { registry });
    const { recording } = recordedOrThrow(run, run.toEndNow());
    const { settings, judged } = resolved;
    await encodeRecording(bytes, recording, { vehicle: settings.vehicle, requirements: judged.requirements });
  }
  const ending = as === "csv" ? "csv" : "mcap";
  return { name: `${stem}.${ending}`, blob: new Blob([bytes.bytes() as Uint8Array<ArrayBuffer>]) };
}

/** Returns a sink that passes on only the rows of a span. */
function limitTo(sink: Sink, span: TimeSpan | undefined): Sink {
  if (span === undefined) return sink;
  return {
    open: (columns) => sink.open(columns),
    row: (tUs, row) => {
      if (tUs >= span.fromUs && tUs <= span.toUs) sink.row(tUs, row);
    },
    get isFull() {
      return sink.isFull;
    },
    drain: () => sink.drain(),
    close: () => sink.close(),
  };
}
