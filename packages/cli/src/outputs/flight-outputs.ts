/**
 * Writes the files of a flight: logs, recording, picture. They are opened before the flight, so that a file that cannot
 * be written is reported before anything is flown. The driver closes them, even after an error or Ctrl-C. A flight that
 * never began leaves no files behind.
 */
import { rmSync, statSync } from "node:fs";
import type {
  AssembledFlight,
  FlightResult,
  outputsTable,
  ParamsOf,
  Recording,
  Resolution,
  ResolvedFlight,
  RunOptions,
  SimError,
  Sink,
} from "@escapement/core";
import { encodeRecording, fileErrors, logRecording, type RecordingWriter } from "@escapement/formats";
import { FileBytes, leftOverParts, logKindOfName, openRecordingFile } from "@escapement/formats/node";
import { cliErrors } from "../errors.ts";
import type { FlightFiles } from "../load/flight-files.ts";
import { STANDARD_STREAM } from "../load/read-files.ts";
import { flightPicture } from "../picture/flight-picture.ts";
import { pictureKind, render } from "../picture/render.ts";
import { VERSION } from "../version.ts";
import { checkEnding, checkNames, writeWhole } from "./files.ts";
import { type FlightLogOptions, flightLogOptions, openLiveLog, openWholeLog } from "./logs.ts";

type Outputs = ParamsOf<typeof outputsTable>;

type FileKind = "log" | "recording" | "picture" | "page" | "flight" | "schema";

export interface WrittenFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly bytes: number;
}

/** Resolves output paths relative to the file that contains them; paths from flags, relative to the working folder. */
export function resolveOutputPaths(
  { settings: { outputs } }: ResolvedFlight,
  { originOf }: Resolution,
  files: FlightFiles,
): Outputs {
  const resolve = (key: string, path: string) =>
    path === "" || path === STANDARD_STREAM ? path : files.pathFrom(path, originOf(key));
  return {
    ...outputs,
    logs: outputs.logs.map((log) => ({ ...log, file: resolve("outputs.logs", log.file) })),
    recording: resolve("outputs.recording", outputs.recording),
    picture: resolve("outputs.picture", outputs.picture),
  };
}

/** Checks the names as far as possible before any file is created. */
export function checkOutputs(outputs: Outputs): void {
  if (outputs.picture !== "") pictureKind(outputs.picture);
  if (outputs.recording !== "") checkRecordingName(outputs.recording);
  for (const { file } of outputs.logs) if (file !== STANDARD_STREAM) logKindOfName(file);
  checkNames(
    namesOf(outputs).map(({ path }) => path),
    outputs.overwrite,
  );
}

/** Checks the extension. Rejects standard output, because the writer changes earlier parts of the file at the end. */
function checkRecordingName(path: string): void {
  if (path !== STANDARD_STREAM) return checkEnding(path, ".mcap", "a recording");
  throw fileErrors.unknownKind({
    what: "a recording cannot be written to standard output",
    where: { file: path },
    fix: "give the name of an .mcap file; --log - writes a log as CSV",
  });
}

/** Returns true if a log or the picture goes to standard output; the summary then goes to standard error. */
export function usesStandardOutput(outputs: Outputs): boolean {
  return namesOf(outputs).some(({ path }) => path === STANDARD_STREAM);
}

function namesOf({ logs, recording, picture }: Outputs): Omit<WrittenFile, "bytes">[] {
  const names: Omit<WrittenFile, "bytes">[] = [
    ...logs.map(({ file }) => ({ path: file, kind: "log" as const })),
    { path: recording, kind: "recording" },
    { path: picture, kind: "picture" },
  ];
  return names.filter(({ path }) => path !== "");
}

/** Returns the files of a flight that exist, with their sizes. */
export function writtenFiles(outputs: Outputs): WrittenFile[] {
  return namesOf(outputs).flatMap((name) => {
    if (name.path === STANDARD_STREAM) return [];
    const stat = statSync(name.path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ ...name, bytes: stat.size }];
  });
}

/** Returns one warning per incomplete file that a killed process left beside the files of this flight. */
export function leftOverWarnings(outputs: Outputs): SimError[] {
  return namesOf(outputs).flatMap(({ path }) =>
    leftOverParts(path).map((part) =>
      cliErrors.leftOver({
        what: "a process that no longer runs left an incomplete file",
        where: { file: part },
        fix: isRecoverable(path)
          ? `run escapement recover ${part}, or delete it`
          : "delete it: a file of this kind can be read only when it is complete",
      }),
    ),
  );
}

const isRecoverable = (path: string) => /\.(mcap|csv|ulg)$/i.test(path);

/** A file that was created here, and the sink that writes it. */
interface OpenFile {
  readonly path: string;
  readonly sink: Sink;
}

/** Data for the files that does not come from the description. */
interface OutputSources {
  /** Replaces the parameters of the flight in logs. The array may be filled until the logs get their columns. */
  readonly parameters?: FlightLogOptions["parameters"] | undefined;
  /** Hash of the flight from which this one was branched. */
  readonly parentHash?: string | undefined;
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

  /** Opens the files. The paths in `outputs` must be resolved already (`resolveOutputPaths`). */
  static async open(
    { definition, hash, settings, judged }: ResolvedFlight,
    outputs: Outputs,
    { parameters, parentHash }: OutputSources = {},
  ): Promise<FlightOutputs> {
    const { overwrite } = outputs;
    checkOutputs(outputs);
    const logOptions = {
      ...flightLogOptions(definition, hash, VERSION),
      ...(parameters === undefined ? {} : { parameters }),
    };
    const files: OpenFile[] = [];
    try {
      for (const { file, everyRows, columns } of outputs.logs) {
        const options = { ...logOptions, overwrite, every: everyRows };
        const sink = await openLiveLog(file, { ...options, ...(columns.length === 0 ? {} : { columns }) });
        files.push({ path: file, sink });
      }
      if (outputs.recording === "") return new FlightOutputs(outputs, files, undefined);
      const recording = await openRecordingFile(outputs.recording, {
        overwrite,
        resolved: definition,
        resolvedHash: hash,
        requirements: judged.requirements,
        ...(parentHash === undefined ? {} : { parentHash }),
        vehicle: settings.vehicle,
        versions: { escapement: VERSION },
        inWorker: true,
      });
      return new FlightOutputs(outputs, [...files, { path: outputs.recording, sink: recording }], recording);
    } catch (error) {
      await closeAndRemoveEmpty(files);
      throw error;
    }
  }

  /** Returns the sinks and observers of the flight. A recording also receives checkpoints. */
  parts(): Pick<RunOptions, "sinks" | "observers" | "onCheckpoint"> {
    const sinks = this.files.map(({ sink }) => sink);
    const { recording } = this;
    if (recording === undefined) return { sinks };
    return {
      sinks,
      observers: [recording],
      onCheckpoint: (tUs, snapshot) => recording.checkpoint(tUs, snapshot),
    };
  }

  /** Runs a step that may fail before a driver takes over the files; on failure, closes them and removes empty ones. */
  async guard<T>(act: () => T | Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      await closeAndRemoveEmpty(this.files);
      throw error;
    }
  }

  prepare({ flight, plant, fingerprint }: AssembledFlight): void {
    this.recording?.prepare({
      dims: flight.bus.layout.dims,
      stateBlocks: plant.layout.blocks,
      ...(fingerprint === undefined
        ? {}
        : { digests: () => fingerprint.result(), plantDigest: () => fingerprint.plantText() }),
    });
  }

  /** Writes the picture after the flight, even if the flight failed. */
  async finish(result: FlightResult): Promise<void> {
    await closeAndRemoveEmpty(this.files);
    writePicture(this.outputs, result);
  }

  written(): WrittenFile[] {
    return writtenFiles(this.outputs);
  }
}

/**
 * Closes files that the driver may not have closed; closing twice does nothing. Then removes empty files, which would
 * otherwise make the next flight fail, because their names exist.
 */
async function closeAndRemoveEmpty(files: readonly OpenFile[]): Promise<void> {
  await Promise.allSettled(files.map(({ sink }) => sink.close()));
  for (const { path } of files) {
    if (path === STANDARD_STREAM) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true && stat.size === 0) rmSync(path, { force: true });
  }
}

/** Returns true if a flight in another process needs a recording, from which its files are then written. */
export function needsRecording({ logs, recording }: Outputs): boolean {
  return logs.length > 0 || recording !== "";
}

/**
 * Writes the files of a flight that was flown in another process, from its recording. Logs have the same bytes as if
 * they had been written in flight; the recording has no digest per second.
 */
export async function writeFromRecording(
  outputs: Outputs,
  result: FlightResult,
  recording: Recording,
  parentHash?: string,
): Promise<void> {
  const { overwrite, logs } = outputs;
  const { definition, hash, settings, judged } = result.resolved;
  const logOptions = flightLogOptions(definition, hash, VERSION);
  for (const { file, everyRows, columns } of logs) {
    const log = await openWholeLog(file, {
      ...logOptions,
      overwrite,
      every: everyRows,
      ...(columns.length === 0 ? {} : { columns }),
    });
    await logRecording(recording, log.sink);
  }
  if (outputs.recording !== "") {
    const bytes = new FileBytes(outputs.recording, { overwrite, whenComplete: true });
    await encodeRecording(bytes, recording, {
      requirements: judged.requirements,
      ...(parentHash === undefined ? {} : { parentHash }),
      vehicle: settings.vehicle,
      versions: { escapement: VERSION },
    });
  }
}

/** Writes the picture of a flight, if one was requested. */
export function writePicture({ picture, overwrite }: Outputs, result: FlightResult): void {
  if (picture !== "") writeWhole(picture, render(flightPicture(result), picture), overwrite);
}
