/**
 * The files that a flight writes: logs, recording, picture. Opened before the flight, so that a name that cannot be
 * written is known before anything is flown; closed by the driver, also after an error or Ctrl-C. Of a flight that never
 * began nothing is left behind.
 */
import { rmSync, statSync } from "node:fs";
import type { AssembledFlight, AssembleOptions, FlightResult, ParamsOf, ResolvedFlight, Sink } from "@escapement/core";
import type { outputsTable } from "@escapement/core";
import type { RecordingWriter } from "@escapement/formats";
import { logKindOfName, openLogFile, openRecordingFile } from "@escapement/formats/node";
import { VERSION } from "../version.ts";
import { checkEnding, checkNames } from "./check-names.ts";
import { flightLogOptions } from "./log-options.ts";
import { pictureKind, writePicture } from "./picture-file.ts";

type Outputs = ParamsOf<typeof outputsTable>;

type FileKind = "log" | "recording" | "picture" | "page" | "flight";

export interface WrittenFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly bytes: number;
}

/** Everything that can be known of the names before anything is created. */
export function checkOutputs(outputs: Outputs): void {
  if (outputs.picture !== "") pictureKind(outputs.picture);
  if (outputs.recording !== "") checkEnding(outputs.recording, ".mcap", "a recording");
  for (const { file } of outputs.logs) logKindOfName(file);
  checkNames(
    namesOf(outputs).map(({ path }) => path),
    outputs.overwrite,
  );
}

function namesOf({ logs, recording, picture }: Outputs): Omit<WrittenFile, "bytes">[] {
  const names: Omit<WrittenFile, "bytes">[] = [
    ...logs.map(({ file }) => ({ path: file, kind: "log" as const })),
    { path: recording, kind: "recording" },
    { path: picture, kind: "picture" },
  ];
  return names.filter(({ path }) => path !== "");
}

/** Those of a flight's files that are there, with their sizes. */
export function writtenFiles(outputs: Outputs): WrittenFile[] {
  return namesOf(outputs).flatMap((name) => {
    const stat = statSync(name.path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ ...name, bytes: stat.size }];
  });
}

/** A file that was made here, and what writes it. */
interface OpenFile {
  readonly path: string;
  readonly sink: Sink;
}

export class FlightOutputs {
  private readonly outputs: Outputs;
  private readonly files: readonly OpenFile[];
  private readonly recording: RecordingWriter | undefined;

  private constructor(outputs: Outputs, files: readonly OpenFile[], recording: RecordingWriter | undefined) {
    this.outputs = outputs;
    this.files = files;
    this.recording = recording;
  }

  /** `outputs` holds paths as they are to be opened. */
  static async open({ definition, hash }: ResolvedFlight, outputs: Outputs): Promise<FlightOutputs> {
    const { overwrite } = outputs;
    checkOutputs(outputs);
    const told = flightLogOptions(definition, hash, VERSION);
    const files: OpenFile[] = [];
    try {
      for (const { file, everyRows, columns } of outputs.logs) {
        const options = { ...told, overwrite, every: everyRows };
        const sink = await openLogFile(file, { ...options, ...(columns.length === 0 ? {} : { columns }) });
        files.push({ path: file, sink });
      }
      if (outputs.recording === "") return new FlightOutputs(outputs, files, undefined);
      const recording = await openRecordingFile(outputs.recording, {
        overwrite,
        resolved: definition,
        resolvedHash: hash,
        versions: { escapement: VERSION },
        inWorker: true,
      });
      return new FlightOutputs(outputs, [...files, { path: outputs.recording, sink: recording }], recording);
    } catch (error) {
      await closed(files);
      throw error;
    }
  }

  /** What to assemble the flight with. */
  parts(): Pick<AssembleOptions, "sinks" | "observers"> {
    const sinks = this.files.map(({ sink }) => sink);
    return this.recording === undefined ? { sinks } : { sinks, observers: [this.recording] };
  }

  /** Does what may fail before a driver has the files in its care; then they are closed, and the empty ones are gone. */
  async guard<T>(act: () => T | Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      await closed(this.files);
      throw error;
    }
  }

  prepare({ plant, fingerprint }: AssembledFlight): void {
    this.recording?.prepare({
      dims: plant.dims,
      stateBlocks: plant.layout.blocks,
      ...(fingerprint === undefined
        ? {}
        : { digests: () => fingerprint.result(), plantDigest: () => fingerprint.result().plant }),
    });
  }

  /** After the flight, also one that failed: the picture. */
  async finish(result: FlightResult): Promise<void> {
    const { picture, overwrite } = this.outputs;
    await closed(this.files);
    if (picture !== "") writePicture(picture, result, overwrite);
  }

  written(): WrittenFile[] {
    return writtenFiles(this.outputs);
  }
}

/**
 * Closes what a driver may not have closed, which again does nothing. Whatever then holds no byte is gone: there is
 * nothing to read in it, and it would stand in the way of the next flight.
 */
async function closed(files: readonly OpenFile[]): Promise<void> {
  await Promise.allSettled(files.map(({ sink }) => sink.close()));
  for (const { path } of files) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true && stat.size === 0) rmSync(path, { force: true });
  }
}
