/**
 * The files that a flight writes: logs, recording, picture. Opened before the flight, so that a name that cannot be
 * written is known before anything is flown; closed by the driver, also after an error or Ctrl-C. Of a flight that never
 * began nothing is left behind.
 */
import { rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { AssembledFlight, AssembleOptions, FlightResult, ParamsOf, ResolvedFlight, Sink } from "@escapement/core";
import type { outputsTable } from "@escapement/core";
import { fileErrors, type RecordingWriter } from "@escapement/formats";
import { logKindOfName, openLogFile, openRecordingFile } from "@escapement/formats/node";
import { VERSION } from "../version.ts";
import { flightLogOptions } from "./log-options.ts";
import { pictureKind, writePicture } from "./picture-file.ts";

type Outputs = ParamsOf<typeof outputsTable>;

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
}

/** Everything that can be known before anything is created: kinds, names given twice, files that are there already. */
export function checkPaths(outputs: Outputs): void {
  if (outputs.picture !== "") pictureKind(outputs.picture);
  for (const { file } of outputs.logs) logKindOfName(file);
  const seen = new Set<string>();
  for (const path of pathsOf(outputs)) {
    if (seen.has(resolve(path))) {
      throw fileErrors.exists({
        what: "the file is named twice",
        where: { file: path },
        fix: "give each a name of its own",
      });
    }
    seen.add(resolve(path));
    if (!outputs.overwrite && statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
      throw fileErrors.exists({
        what: "the file is there already",
        where: { file: path },
        fix: "choose another name, or --overwrite",
      });
    }
  }
}

function pathsOf({ logs, recording, picture }: Outputs): string[] {
  return [...logs.map(({ file }) => file), recording, picture].filter((path) => path !== "");
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
  static async open({ flown, hash }: ResolvedFlight, outputs: Outputs): Promise<FlightOutputs> {
    const { overwrite } = outputs;
    checkPaths(outputs);
    const told = flightLogOptions(flown, hash, VERSION);
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
        resolved: flown,
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

  /** After the flight, also one that failed: the picture, and what was written. */
  async finish(result: FlightResult): Promise<WrittenFile[]> {
    const { picture, overwrite } = this.outputs;
    await closed(this.files);
    if (picture !== "") writePicture(picture, result, overwrite);
    return pathsOf(this.outputs).flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, bytes: stat.size }];
    });
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
