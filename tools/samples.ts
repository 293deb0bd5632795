/**
 * Renews the outputs that documents show: `npm run samples`. Tests check that they are up to date.
 *
 * In a document, a `text` block after an `sh` block shows lines of that block's output. Each shown line is replaced by
 * the next output line that differs from it only in numbers, fingerprints and spaces. A shown line without such an
 * output line is an error: the words changed, so the text around the block must be read again.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildCommand, CommandSession } from "../tests/support/command.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A fenced block of a document. `start` and `end` are the positions of its text. */
interface Block {
  readonly language: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An `sh` block, and the block that shows lines of its output, if there is one. */
interface Sample {
  readonly commands: readonly string[];
  readonly shown: Block | undefined;
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => {
    const start = match.index + match[0].indexOf("\n") + 1;
    return { language: match[1]!, text: match[2]!, start, end: start + match[2]!.length };
  });
}

/** Returns the commands of a page whose output is shown, and earlier ones that record a flight for them. */
function samplesOf(page: string): Sample[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, i) => {
    if (block.language !== "sh") return [];
    const next = blocks[i + 1];
    const shown = next?.language === "text" ? next : undefined;
    const commands = block.text
      .split("\n")
      .filter((line) => /^(escapement|npm run example) /.test(line))
      .filter((line) => shown !== undefined || line.includes("--record"));
    return commands.length === 0 ? [] : [{ commands, shown }];
  });
}

/** Splits a command line as a shell does: at spaces outside single quotes, up to a semicolon. */
function argumentsOf(line: string): string[] {
  const [command = ""] = line.split(";");
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, quoted, plain]) => quoted ?? plain!);
}

/** Replaces the numbers, fingerprints and spaces of a line, which may change, with placeholders. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/fp1:[0-9a-f-]+/g, "fp1")
    .replaceAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Cuts off the map that the summary of a flight draws to the right of the events. */
function withoutMap(line: string): string {
  return line.replace(/(\S) {3,}.*$/, "$1");
}

/**
 * Replaces each shown line by the next output line of the same shape, with or without the map beside it. Blank lines
 * and "…" stay as they are.
 */
export function renewLines(shown: string, output: string): string {
  const lines = output.split("\n").map((line) => line.trimEnd());
  let next = 0;
  return shown
    .split("\n")
    .map((line) => {
      const shape = shapeOf(line);
      if (shape === "" || shape === "…") return line;
      for (let i = next; i < lines.length; i += 1) {
        const found = [lines[i]!, withoutMap(lines[i]!)].find((candidate) => shapeOf(candidate) === shape);
        if (found === undefined) continue;
        next = i + 1;
        return found;
      }
      throw new Error(`no line of the output has the form of\n  ${line}\nThe output is\n${output}`);
    })
    .join("\n");
}

/** Renews fingerprints that test code on a page expects of built-in flights. */
function renewFingerprints(page: string): string {
  return page.replaceAll(
    /(fly\(\{ extends: "([\w-]+)" \}\)[^`]*?toHaveFingerprint\(")fp1:[0-9a-f-]+/g,
    (_, before: string, flight: string) => {
      const golden = readFileSync(join(root, `tests/golden/${flight}.json`), "utf8");
      return before + (JSON.parse(golden) as { fingerprint: string }).fingerprint;
    },
  );
}

/** Documents that show the output of commands or of example scripts. */
export function sampledPages(): string[] {
  const pages = [
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
    ...readdirSync(join(root, "examples"))
      .filter((name) => /^\d\d-/.test(name))
      .map((name) => `examples/${name}/README.md`),
  ];
  return pages.filter((path) => {
    const page = readFileSync(join(root, path), "utf8");
    return page.includes('toHaveFingerprint("fp1:') || samplesOf(page).some(({ shown }) => shown !== undefined);
  });
}

/** Runs the commands of documents, each document in a separate folder. */
export class Samples {
  private readonly session: CommandSession;
  private readonly folder: string;
  /** Cached outputs of commands that read only files of examples, because several documents show the same outputs. */
  private readonly outputs = new Map<string, string>();

  static async start(): Promise<Samples> {
    mkdirSync(join(root, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(root, ".cache/samples-"));
    return new Samples(new CommandSession(await buildCommand(), folder, { COLUMNS: "80" }), folder);
  }

  private constructor(session: CommandSession, folder: string) {
    this.session = session;
    this.folder = folder;
    symlinkSync(join(root, "examples"), join(folder, "examples"));
  }

  /** Returns the document with renewed outputs. */
  async renew(path: string): Promise<string> {
    const page = readFileSync(join(root, path), "utf8");
    let renewed = page;
    // Positions are those of the original page, so replace from the end.
    const blocks: { shown: Block; text: string }[] = [];
    for (const { commands, shown } of samplesOf(page)) {
      let output = "";
      for (const line of commands) output += await this.outputOf(line);
      if (shown !== undefined) blocks.push({ shown, text: renewLines(shown.text, output) });
    }
    for (const { shown, text } of blocks.reverse())
      renewed = renewed.slice(0, shown.start) + text + renewed.slice(shown.end);
    return renewFingerprints(renewed);
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Returns what a command line of a document prints to standard output. */
  async outputOf(line: string): Promise<string> {
    const kept = this.outputs.get(line);
    if (kept !== undefined) return kept;
    const script = /^npm run example (.*)/.exec(line)?.[1];
    const out = script === undefined ? (await this.session.run(argumentsOf(line))).out : runScript(script);
    if (!line.includes(".mcap") && line.includes(" examples/")) this.outputs.set(line, out);
    return out;
  }
}

function runScript(path: string): string {
  return execFileSync(process.execPath, ["--import", "tsx", "--conditions=source", path], {
    cwd: root,
    encoding: "utf8",
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const samples = await Samples.start();
  try {
    for (const path of sampledPages()) {
      const page = readFileSync(join(root, path), "utf8");
      const renewed = await samples.renew(path);
      if (renewed !== page) console.log(`renewed ${path}`);
      writeFileSync(join(root, path), renewed);
    }
  } finally {
    samples.end();
  }
}
