/**
 * `escapement info file`: shows the contents of a recording or a log (the flight, its length, its signals or columns).
 */
import type { Command } from "commander";
import { definitionOf, type SignalName, SIGNALS, Summariser } from "@escapement/core";
import type { RecordingStream, Table } from "@escapement/formats";
import { useFile } from "../load/read-files.ts";
import { readLimits } from "./flag-values.ts";
import { READ_LIMIT_FLAG } from "./options.ts";
import { columnsOf, padEnd, renderTable, type Style, styleFor, wrap } from "../print/style.ts";

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
  readonly contents: readonly Content[];
}

export function addInfo(program: Command): void {
  program
    .command("info")
    .description("show what a recording or a log contains")
    .argument("<file>", "a recording (.mcap), a log (.csv, .ulg, .mcap, .h5, .parquet), or - for standard input")
    .option(...READ_LIMIT_FLAG)
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement info flight.mcap\n  escapement info flight.csv --json")
    .action(async (path: string, flags: { json?: true; readLimit?: string }) => {
      const info = await useFile(path, readLimits(flags), {
        recording: (stream) => recordingInfo(path, stream),
        log: async (table) => logInfo(path, table),
      });
      const style = styleFor(process.stdout, process.env);
      const text =
        flags.json === true ? JSON.stringify(info, null, 2) : infoText(info, style, columnsOf(process.stdout));
      process.stdout.write(`${text}\n`);
    });
}

async function recordingInfo(file: string, recording: RecordingStream): Promise<FileInfo> {
  const { versions, missing, digests } = recording;
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

function infoText({ file, kind, missing, facts, contents }: FileInfo, style: Style, columns: number): string {
  const widest = Math.max(...Object.keys(facts).map((key) => key.length));
  const lines = Object.entries(facts).map(
    ([key, value]) => `  ${style.quiet(padEnd(key, widest))}  ${wrap(String(value), columns, " ".repeat(widest + 4))}`,
  );
  const table = renderTable(
    [{ title: kind === "log" ? "column" : "signal" }, { title: "unit" }, { title: "values", right: true }],
    contents.map(({ name, unit, values }) => [name, unit, String(values)]),
    style,
  );
  const head = `${style.strong(kind)}  ${file}${missing === undefined ? "" : style.trouble("  incomplete")}`;
  return [[head, ...lines].join("\n"), table].join("\n\n");
}
