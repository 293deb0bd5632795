/**
 * Reads files that are opened in the page. The name and the first bytes identify their kind.
 *
 * A recording of a flight that this page can fly is read as its description, because flying it again is faster than
 * reading all of it, and the fingerprint proves that it is the same flight. Other recordings and logs become rows.
 */
import { DUE_BITS } from "@escapement/core";
import {
  isLog,
  openRecordingStream,
  readMission,
  readParams,
  readTable,
  type RecordingStream,
} from "@escapement/formats";
import type { FlightHead, FlightId, FromWorker } from "../protocol.ts";
import { sourceOfBlob } from "./blob-source.ts";
import { logFlight, logRows } from "./log-flight.ts";
import type { LogRows } from "./log-rows.ts";
import { recordedText } from "./recorded-text.ts";
import { RowBuffer } from "./rows.ts";

type ReadMessage = Extract<FromWorker, { readonly is: "read" }>;
type Post = (message: FromWorker) => void;

/** Rows per message. */
const BATCH_ROWS = 500;
const MCAP = [0x89, 0x4d, 0x43, 0x41];
const LOG_ENDINGS: Readonly<Record<string, "ulog" | "parquet" | "hdf5">> = {
  ulg: "ulog",
  parquet: "parquet",
  h5: "hdf5",
};
/** Endings of descriptions, missions and parameters. These may begin with a comment, as a CSV log does. */
const TEXT_ENDING = /\.(?:toml|json|plan|waypoints|mission|params|parm|param)$/i;
/** Number of first bytes that identify the kind of a file. */
const FIRST_BYTES = 4096;

interface Reading {
  readonly seq: number;
  readonly id: FlightId;
  readonly file: Blob;
  readonly name: string;
}

/** A file that was read, and its rows if it is a log. */
interface ReadFile {
  readonly result: ReadMessage["result"];
  readonly rows?: LogRows;
}

export async function read({ seq, id, file, name }: Reading, post: Post): Promise<ReadFile> {
  const first = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer());
  const isTable = !TEXT_ENDING.test(name) && (await isLog(first));
  if (!isTable && MCAP.every((byte, i) => first[i] === byte)) {
    return { result: await readRecordingFile({ seq, id, file, name }, post) };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Use the name of a damaged log to choose its reader, which then reports the damage.
  const kind = isTable ? undefined : LOG_ENDINGS[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
  if (!isTable && kind === undefined) return { result: readText(bytes, name) };
  post({ is: "progress", seq, fraction: 0.2 });
  const table = await readTable(bytes, kind, name);
  post({ is: "progress", seq, fraction: 0.8 });
  const rows = logRows(table);
  for (const message of logFlight(rows, id, name, table.messages)) post(message);
  return { result: { kind: "rows", id, ...(table.missing === undefined ? {} : { missing: table.missing }) }, rows };
}

async function readRecordingFile({ seq, id, file, name }: Reading, post: Post): Promise<ReadMessage["result"]> {
  let text: string | undefined;
  const source = await sourceOfBlob(file, (fraction) => post({ is: "progress", seq, fraction }));
  const stream = await openRecordingStream(source, {
    file: name,
    onHead: (head) => {
      text = recordedText(head);
      if (text !== undefined) post({ is: "progress", seq, fraction: 0, described: text });
    },
  });
  const { missing } = stream;
  if (text !== undefined && missing === undefined) {
    const expected = { fingerprint: `fp1:${stream.digests.plant}`, hash: stream.resolvedHash };
    return { kind: "description", name: name.replace(/\.mcap$/i, ""), text, files: {}, expected };
  }
  await sendRows(stream, id, name, post);
  return { kind: "rows", id, ...(missing === undefined ? {} : { missing }) };
}

async function sendRows(stream: RecordingStream, id: FlightId, name: string, post: Post): Promise<void> {
  const { columns } = stream;
  const head: FlightHead = {
    name: name.replace(/\.mcap$/i, ""),
    origin: "recorded",
    files: {},
    hash: stream.resolvedHash,
    sections: {},
    columns,
    rotors: stream.dims.rotors,
    batteries: stream.dims.batteries,
    logPeriodUs: 0,
    autopilotPeriodUs: 0,
    endUs: stream.endUs,
    ownEvents: [],
    firstOwnEvent: 0,
    canBranch: false,
    whyNot: "the page cannot fly this recording, so it cannot be branched",
  };
  post({ is: "flight", seq: -1, id, head });
  const buffer = new RowBuffer(columns.map((_, i) => i));
  const flush = (flownUs: number) => {
    const fromRow = buffer.sent;
    post({ is: "rows", id, fromRow, batch: buffer.take(), flownUs });
  };
  await stream.play(({ frame, due }, row) => {
    if ((due & DUE_BITS.log) === 0) return;
    buffer.add(frame[0]!, row);
    if (buffer.count >= BATCH_ROWS) flush(frame[0]!);
  });
  flush(stream.endUs);
  const end = { outcome: "completed", reason: "recorded", endUs: stream.endUs, code: "" } as const;
  const known = { fingerprint: `fp1:${stream.digests.plant}`, digests: stream.digests };
  post({ is: "end", id, events: [], end: { ...end, ...known, cost: { flyMs: 0, flownUs: 0 } } });
}

/** Reads a description, a mission or parameters. */
function readText(bytes: Uint8Array, name: string): ReadMessage["result"] {
  if (/\.(?:plan|waypoints|mission)$/i.test(name)) {
    const { errors } = readMission(bytes, name);
    if (errors.length > 0) throw errors[0]!;
    const text = `extends = "mission"\nmission = ${JSON.stringify(`./${name}`)}\n`;
    return { kind: "description", name: name.replace(/\.\w+$/, ""), text, files: { [name]: bytes } };
  }
  if (/\.(?:params|parm|param)$/i.test(name)) {
    const { value, errors } = readParams(bytes, name);
    if (value === undefined || errors.length > 0) throw errors[0]!;
    return { kind: "parameters", values: Object.fromEntries(value.map((each) => [each.name, each.value])) };
  }
  const text = new TextDecoder("utf-8", { fatal: false }).decode(bytes);
  return { kind: "description", name: name.replace(/\.(?:toml|json)$/i, ""), text, files: {} };
}
