/**
 * `escapement info file`: shows the contents of a recording or a log (the flight, its length, its signals or columns).
 *
 * The screen has one line per topic of a ULog or per writer of a recording; with `--fields`, one line per field, signal
 * or column. The JSON output always has every field.
 */
import type { Command } from "commander";
import { definitionOf, type SignalName, SIGNALS, Summariser } from "@escapement/core";
import type { RecordingStream, Table } from "@escapement/formats";
import { useFile } from "../load/read-files.ts";
import { readLimits } from "./flag-values.ts";
import { READ_LIMIT_FLAG } from "./options.ts";
import { columnsOf, padEnd, renderTable, type Style, styleFor, wrap } from "../print/style.ts";

/** Columns with times in microseconds. */
const TIMES = /^time_us$|\.timestamp$/;

/** A signal, a topic or a column of a file. */
interface Content {
  readonly name: string;
  readonly unit: string;
  readonly values: number;
}

interface FileInfo {
  readonly file: string;
  readonly kind: "recording" | "log";
  /** Describes the missing part of a file that was cut short. */
  readonly missing?: string;
  /** Facts about the flight, in the order in which they are printed. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** The requirements in a recording; absent if it contains none. */
  readonly requirements?: RecordingStream["requirements"];
  readonly contents: readonly Content[];
}

interface InfoFlags {
  readonly fields?: true;
  readonly json?: true;
  readonly readLimit?: string;
}

/** The contents of a file, with values that are printed but are not part of the JSON output. */
interface Reading {
  readonly info: FileInfo;
  readonly vehicle?: string | undefined;
  /** Time from the first to the last row, if the file has times. */
  readonly durationS?: number | undefined;
}

export function addInfo(program: Command): void {
  program
    .command("info")
    .description("show what a recording or a log contains")
    .argument("<file>", "a recording (.mcap), a log (.csv, .ulg, .mcap, .h5, .parquet), or - for standard input")
    .option("--fields", "print every field of every topic, every column, or every signal")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement info flight.mcap\n  escapement info flight.csv --json")
    .action(async (path: string, flags: InfoFlags) => {
      const reading = await useFile<Reading>(path, readLimits(flags), {
        recording: async (stream) => ({
          info: await recordingInfo(path, stream),
          vehicle: stream.vehicle,
          durationS: stream.endUs / 1e6,
        }),
        log: async (table) => ({ info: logInfo(path, table), durationS: durationOf(table) }),
      });
      const style = styleFor(process.stdout, process.env);
      const text =
        flags.json === true
          ? JSON.stringify(reading.info, null, 2)
          : infoText(reading, flags.fields === true, style, columnsOf(process.stdout));
      process.stdout.write(`${text}\n`);
    });
}

async function recordingInfo(file: string, recording: RecordingStream): Promise<FileInfo> {
  const { versions, missing, digests, requirements } = recording;
  const { name, seed, autopilot, integrator, wind } = definitionOf(recording);
  const summariser = new Summariser(recording);
  await recording.play((view) => summariser.observe(view));
  const { kind: outcome, reason } = summariser.result();
  return {
    file,
    kind: "recording",
    ...(missing === undefined ? {} : { missing }),
    facts: {
      flight: name,
      seed,
      autopilot: autopilot.kind,
      integrator: integrator.kind,
      wind: wind.kind,
      outcome: missing === undefined ? `${outcome}: ${reason}` : "unknown",
      endS: recording.endUs / 1e6,
      boundaries: recording.boundaries,
      fingerprint: digests.plant === "" ? "none" : `fp1:${digests.plant}`,
      resolved: recording.resolvedHash,
      escapement: versions["escapement"] ?? "unknown",
    },
    ...(requirements.length === 0 ? {} : { requirements }),
    contents: [...recording.counts].map(([signal, values]) => ({ name: signal, unit: unitOf(signal), values })),
  };
}

function unitOf(name: string): string {
  return name in SIGNALS ? SIGNALS[name as SignalName].unit : "";
}

function logInfo(file: string, { columns, units, provenance, missing }: Table): FileInfo {
  const times = columns.get("time_us");
  const rows = times?.length ?? 0;
  return {
    file,
    kind: "log",
    ...(missing === undefined ? {} : { missing }),
    facts: {
      ...provenance,
      ...(times === undefined ? {} : { rows, startS: (times[0] ?? 0) / 1e6, endS: (times[rows - 1] ?? 0) / 1e6 }),
    },
    contents: [...columns].map(([name, values]) => ({ name, unit: units.get(name) ?? "", values: values.length })),
  };
}

/** Returns the time that a log covers: from the first time of any topic to the last one. */
function durationOf({ columns }: Table): number | undefined {
  let first = Infinity;
  let last = -Infinity;
  for (const [name, values] of columns) {
    if (!TIMES.test(name) || values.length === 0) continue;
    first = Math.min(first, values[0]!);
    last = Math.max(last, values[values.length - 1]!);
  }
  return last >= first ? (last - first) / 1e6 : undefined;
}

/** Facts that are printed under another name, or not at all (undefined). `endS` is printed as the duration. */
const PRINTED_NAMES: Readonly<Record<string, string | undefined>> = {
  resolved: "flight hash",
  startS: undefined,
  endS: undefined,
  ver_hw: undefined,
  ver_sw: undefined,
  time_offset_us: undefined,
};

function infoText(reading: Reading, hasFields: boolean, style: Style, columns: number): string {
  const { info, vehicle, durationS } = reading;
  const { file, kind, missing, facts, requirements = [], contents } = info;
  const printed = Object.entries(facts).flatMap(([key, value]): [string, string][] => {
    const name = key in PRINTED_NAMES && !hasFields ? PRINTED_NAMES[key] : key;
    return name === undefined ? [] : [[name, String(value)]];
  });
  if (vehicle !== undefined) printed.splice(1, 0, ["vehicle", vehicle]);
  if (durationS !== undefined) printed.push(["duration", `${durationS.toFixed(2)} s`]);
  printed.push(
    ...requirements.map((each, i): [string, string] => [i === 0 ? "requirements" : "", requirementLine(each)]),
  );
  const widest = Math.max(...printed.map(([key]) => key.length));
  const lines = printed.map(
    ([key, value]) => `  ${style.quiet(padEnd(key, widest))}  ${wrap(value, columns, " ".repeat(widest + 4))}`,
  );
  const head = `${style.strong(kind)}  ${file}${missing === undefined ? "" : style.trouble("  incomplete")}`;
  const body = hasFields ? fieldsText(info, style) : contentsText(kind, contents, durationS, style);
  return [[head, ...lines].join("\n"), body].join("\n\n");
}

/** Formats a requirement: its name if it has one, its text, and whether a violation is only a warning. */
function requirementLine({ name, text, severity }: RecordingStream["requirements"][number]): string {
  return `${name === text ? text : `${name}: ${text}`}${severity === "error" ? "" : ` (${severity})`}`;
}

function fieldsText({ kind, contents }: Pick<FileInfo, "kind" | "contents">, style: Style): string {
  return renderTable(
    [{ title: kind === "log" ? "column" : "signal" }, { title: "unit" }, { title: "samples", right: true }],
    contents.map(({ name, unit, values }) => [name, unit, String(values)]),
    style,
  );
}

function contentsText(
  kind: FileInfo["kind"],
  contents: readonly Content[],
  durationS: number | undefined,
  style: Style,
): string {
  const topics = topicsOf(contents);
  if (topics.length > 0) return topicsText(topics, durationS, style);
  if (kind === "log") {
    const names = contents.slice(0, 3).map(({ name }) => name);
    return `  ${contents.length} columns: ${names.join(", ")}, … ${style.quiet("(all of them: --fields)")}`;
  }
  return writersText(contents, style);
}

/** Returns one line per part that wrote signals. Leaves out sensors that the flight does not have. */
function writersText(contents: readonly Content[], style: Style): string {
  const groups = new Map<string, { readonly names: string[]; samples: number }>();
  for (const { name, values } of contents) {
    if (values === 0) continue;
    const writer = name in SIGNALS ? SIGNALS[name as SignalName].writer : name;
    const group = groups.get(writer) ?? { names: [], samples: 0 };
    group.names.push(name);
    group.samples += values;
    groups.set(writer, group);
  }
  const table = renderTable(
    [{ title: "written by" }, { title: "signals", right: true }, { title: "samples", right: true }],
    [...groups].map(([writer, { names, samples }]) => [writer, String(names.length), String(samples)]),
    style,
  );
  return `${table}\n\n${style.quiet("A signal is recorded when it changes. Every signal: --fields")}`;
}

interface Topic {
  readonly name: string;
  readonly fields: number;
  readonly messages: number;
}

/**
 * Groups the columns of a ULog by topic, and leaves out topics without messages. Returns an empty list for a file
 * without topics.
 */
function topicsOf(contents: readonly Content[]): Topic[] {
  if (!contents.some(({ name }) => name.endsWith(".timestamp"))) return [];
  const groups = new Map<string, Topic>();
  for (const { name, values } of contents) {
    if (values === 0) continue;
    const topic = name.slice(0, name.indexOf("."));
    groups.set(topic, { name: topic, fields: (groups.get(topic)?.fields ?? 0) + 1, messages: values });
  }
  return [...groups.values()];
}

function topicsText(topics: readonly Topic[], durationS = 0, style: Style): string {
  const table = renderTable(
    [
      { title: "topic" },
      { title: "fields", right: true },
      { title: "messages", right: true },
      { title: "per second", right: true },
    ],
    topics.map((topic) => [
      topic.name,
      String(topic.fields),
      String(topic.messages),
      durationS > 0 ? (topic.messages / durationS).toFixed(1) : "",
    ]),
    style,
  );
  return `${table}\n\n${style.quiet("every field: --fields")}`;
}
