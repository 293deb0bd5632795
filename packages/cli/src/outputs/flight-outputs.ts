/**
 * The files that a flight writes: logs, recording, picture. Opened before the flight, so that a name that cannot be
 * written is known before anything is flown; closed by the driver, also after an error or Ctrl-C.
 */
import { statSync } from "node:fs";
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
function checkPaths(outputs: Outputs): void {
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

export class FlightOutputs {
  private readonly outputs: Outputs;
  private readonly sinks: readonly Sink[];
  private readonly recording: RecordingWriter | undefined;

  private constructor(outputs: Outputs, sinks: readonly Sink[], recording: RecordingWriter | undefined) {
    this.outputs = outputs;
    this.sinks = sinks;
    this.recording = recording;
  }

  /** `outputs` holds paths as they are to be opened. */
  static async open({ flown, hash }: ResolvedFlight, outputs: Outputs): Promise<FlightOutputs> {
    const { overwrite } = outputs;
    checkPaths(outputs);
    const told = flightLogOptions(flown, hash, VERSION);
    const sinks: Sink[] = [];
    try {
      for (const { file, everyRows, columns } of outputs.logs) {
        const options = { ...told, overwrite, every: everyRows };
        sinks.push(await openLogFile(file, { ...options, ...(columns.length === 0 ? {} : { columns }) }));
      }
      const recording =
        outputs.recording === ""
          ? undefined
          : await openRecordingFile(outputs.recording, {
              overwrite,
              resolved: flown,
              resolvedHash: hash,
              versions: { escapement: VERSION },
              inWorker: true,
            });
      return new FlightOutputs(outputs, sinks, recording);
    } catch (error) {
      await Promise.allSettled(sinks.map((sink) => sink.close()));
      throw error;
    }
  }

  /** What to assemble the flight with. */
  parts(): Pick<AssembleOptions, "sinks" | "observers"> {
    const { sinks, recording } = this;
    return recording === undefined ? { sinks } : { sinks: [...sinks, recording], observers: [recording] };
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

  /** After the flight: the picture, and what was written. */
  finish(result: FlightResult): WrittenFile[] {
    const { picture, overwrite } = this.outputs;
    if (picture !== "") writePicture(picture, result, overwrite);
    return pathsOf(this.outputs).flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, bytes: stat.size }];
    });
  }
}
