/**
 * Writes the generated parts of the docs: stage and signal tables, error codes, verification numbers, keys.
 *
 * Each part is between `<!-- generated: name -->` and `<!-- end of name -->` in a hand-written document. `npm run docs`
 * rewrites them, and the limits of the verification problems. A test checks that all are up to date.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dueNames, SIGNAL_NAMES, signalSpec, STAGES } from "../packages/core/src/engine/index.ts";
import type { ErrorDoc } from "../packages/core/src/errors/index.ts";
import { verificationProblems, verifyAll } from "../packages/core/src/verify/index.ts";
import { Commands, GROUPS, keyText } from "../packages/viewer/src/view/commands.ts";
import { toolCommand, TOOLS } from "../packages/viewer/src/view/inject/tools.ts";
import { addPageCommands } from "../packages/viewer/src/view/page-commands.ts";
import { Store } from "../packages/viewer/src/view/store/store.ts";
import { FP1_KNOWN_ANSWERS } from "../tests/support/fp1.ts";
import { campaignTables } from "./campaign-tables.ts";
import { commandSections, exitCodes } from "./command-tables.ts";
import { flightTables } from "./flight-tables.ts";
import { type Row, table } from "./markdown.ts";
import { LIMIT_FILE, verificationTable, withNewLimits } from "./verification.ts";

function stageTable(): string {
  const when = (due: number) => (due === -1 ? "every boundary" : dueNames(due).join(", "));
  return table(
    ["#", "stage", "runs if one of these is due", "duty"],
    STAGES.map(({ name, due, duty }, i) => [String(i + 1), name, when(due), duty]),
  );
}

function signalTable(): string {
  return table(
    ["writer", "signal", "size", "unit", "input", "hidden from the autopilot", "meaning"],
    SIGNAL_NAMES.map((name) => {
      const { writer, size, unit, input, truth, about } = signalSpec(name);
      return [
        writer,
        `\`${name}\``,
        String(size),
        unit,
        input === true ? "yes" : "",
        truth === true ? "yes" : "",
        about,
      ];
    }),
  );
}

function knownAnswers(): string {
  const show = (value: number) => (Object.is(value, -0) ? "−0" : String(value));
  const rows = FP1_KNOWN_ANSWERS.map(([calls, text]) => [
    calls.length === 0 ? "none" : calls.map((values) => `(${values.map(show).join(", ")})`).join(" then "),
    `\`${text}\``,
  ]);
  return table(["calls", "digest"], rows);
}

/** Finds every error that any package declares, in the sources, so that the list is complete. */
export async function errorDocs(root: string): Promise<ErrorDoc[]> {
  const found: ErrorDoc[] = [];
  for (const path of sourcesUnder(join(root, "packages"))) {
    if (!/= defineErrors\(\s*"/.test(readFileSync(path, "utf8"))) continue;
    const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    for (const catalogue of Object.values(module)) found.push(...factoriesIn(catalogue));
  }
  return found.sort((a, b) => (a.code < b.code ? -1 : 1));
}

function factoriesIn(value: unknown): ErrorDoc[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter(
    (entry): entry is ErrorDoc => typeof entry === "function" && "code" in entry && "explain" in entry,
  );
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\/packages\/[^/]+\/src\//.test(path.replaceAll("\\", "/")))
    .sort();
}

async function errorList(root: string): Promise<string> {
  const docs = await errorDocs(root);
  return docs.map(({ code, title, explain }) => `## ${code}\n\n**${title}.** ${explain}`).join("\n\n");
}

/** Formats the keys of the viewer, from the list of commands that the viewer itself uses. */
function keyTable(): string {
  const commands = new Commands();
  // Only the list is read and no command runs, so no worker is started.
  const store = new Store({
    startWorker: () => {
      throw new Error("the list of keys needs no worker");
    },
  });
  addPageCommands(commands, store, {} as Parameters<typeof addPageCommands>[2]);
  commands.add(...TOOLS.map((tool) => toolCommand(tool, () => {})));
  const rows = commands.list
    .filter(({ id, keys }) => keys.length > 0 && !/^flight-[2-9]$/.test(id))
    .map(({ id, keys, label, group }): Row => {
      if (id === "flight-1") return ["`1` … `9`", "choose a flight", group];
      return [keys.map((key) => `\`${keyText(key)}\``).join(", "), label, group];
    });
  const place = ([, , group]: Row) => (GROUPS as readonly string[]).indexOf(group!);
  rows.sort((a, b) => place(a) - place(b));
  return table(["key", "what it does", "group"], rows);
}

/** Returns the documents and the file of limits, with up-to-date generated parts. */
export async function generatedDocs(root: string): Promise<Map<string, string>> {
  const verified = verifyAll(verificationProblems);
  const parts: [file: string, name: string, text: string][] = [
    ["docs/contract.md", "stages", stageTable()],
    ["docs/contract.md", "signals", signalTable()],
    ["docs/determinism.md", "known answers", knownAnswers()],
    ["docs/verification.md", "verification", verificationTable(verified)],
    ["docs/errors.md", "errors", await errorList(root)],
    ["docs/viewer.md", "keys", keyTable()],
    ["docs/commands.md", "exit codes", exitCodes()],
    ["docs/commands.md", "commands", await commandSections()],
    ...flightTables().map(([name, text]): [string, string, string] => ["docs/flights.md", name, text]),
    ...campaignTables().map(([name, text]): [string, string, string] => ["docs/campaigns.md", name, text]),
  ];
  const limits = withNewLimits(readFileSync(join(root, LIMIT_FILE), "utf8"), verified);
  const documents = new Map([[LIMIT_FILE, limits]]);
  for (const [file, name, text] of parts) {
    const before = documents.get(file) ?? readFileSync(join(root, file), "utf8");
    documents.set(file, replacePart(before, file, name, text));
  }
  return documents;
}

function replacePart(document: string, file: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the generated part "${name}"`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [file, text] of await generatedDocs(process.cwd())) writeFileSync(file, text);
}
