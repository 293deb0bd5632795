/**
 * Writes the package's public API to two documents: `packages/cli/api-report.md` has every declaration, so that every
 * API change appears in a diff; `docs/api.md` lists names, signatures and descriptions. `npm run docs` writes both, and
 * a test checks that they are up to date.
 *
 * Both come from the declarations that the compiler emits. Each name is followed through re-exports to its declaration.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { isNode, nameOf, type Node, Source } from "./tidy/source.ts";

const EMITTED = ".cache/api";
const MANIFEST = "packages/cli/package.json";

interface Entry {
  readonly name: string;
  readonly isType: boolean;
  /** The declaration as the compiler emits it, without its comment. */
  readonly declaration: string;
  /** First sentence of its comment; empty if it has no comment. */
  readonly about: string;
}

interface EntryPoint {
  /** Import specifier: `escapement`, `escapement/core` … */
  readonly specifier: string;
  readonly about: string;
  readonly entries: readonly Entry[];
}

/** Reads every entry point in the package's `exports`. */
export function readEntryPoints(root: string): EntryPoint[] {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.types.json", "--outDir", EMITTED];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`the sources do not compile:\n${stdout}`);
  const manifest = JSON.parse(readFileSync(join(root, MANIFEST), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly source: string }>>;
  };
  const modules = new Modules(join(root, EMITTED));
  // Names that the root re-exports from `escapement/core` are listed there.
  const shared = new Set(["./public/core.ts"]);
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    const header = new Source(target.source, readFileSync(join(root, "packages/cli", target.source), "utf8")).header;
    const file = posix.join("cli", target.source).replace(/\.ts$/, ".d.ts");
    const entries = modules
      .exportsOf(file, shared)
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    return [{ specifier: posix.join("escapement", path), about: proseOf(header), entries }];
  });
}

class Modules {
  private readonly folder: string;
  private readonly sources = new Map<string, Source>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the exports of an entry point, without those that `export *` re-exports from these files. */
  exportsOf(file: string, without: ReadonlySet<string>): Entry[] {
    return [...this.namesOf(file, without)].flatMap((name) => this.find(file, name) ?? []);
  }

  private source(file: string): Source {
    const source = this.sources.get(file) ?? new Source(file, readFileSync(join(this.folder, file), "utf8"));
    this.sources.set(file, source);
    return source;
  }

  private statements(file: string): readonly Node[] {
    return this.source(file).program["body"] as readonly Node[];
  }

  private namesOf(file: string, without: ReadonlySet<string> = new Set()): Set<string> {
    const names = new Set<string>();
    for (const node of this.statements(file)) {
      if (node.type === "ExportAllDeclaration" && !without.has((node["source"] as Node)["value"] as string)) {
        for (const name of this.namesOf(this.target(file, node)!)) names.add(name);
      }
      if (node.type !== "ExportNamedDeclaration") continue;
      for (const specifier of node["specifiers"] as readonly Node[]) names.add(nameOf(specifier["exported"])!);
      for (const name of declaredNames(node["declaration"])) names.add(name);
    }
    return names;
  }

  /** Finds the declarations of a name; there are several if it is overloaded. */
  private find(file: string, name: string): Entry | undefined {
    const own = this.statements(file).filter((node) => {
      const declaration = node.type === "ExportNamedDeclaration" ? node["declaration"] : node;
      return declaredNames(declaration).includes(name);
    });
    if (own.length > 0) return entryOf(name, this.source(file), own);
    for (const node of this.statements(file)) {
      const target = this.target(file, node);
      if (node.type === "ExportAllDeclaration" && target !== undefined) {
        const found = this.find(target, name);
        if (found !== undefined) return found;
      }
      for (const specifier of (node["specifiers"] ?? []) as readonly Node[]) {
        const isImport = node.type === "ImportDeclaration";
        if (nameOf(specifier[isImport ? "local" : "exported"]) !== name) continue;
        const original = nameOf(specifier[isImport ? "imported" : "local"])!;
        // A name from another package has no declaration here.
        const place = target ?? (isNode(node["source"]) ? undefined : file);
        const found = place === undefined ? undefined : this.find(place, original);
        if (found !== undefined) return { ...found, name };
      }
    }
    return undefined;
  }

  /** Returns the emitted file that an import or re-export resolves to, or undefined for other packages. */
  private target(file: string, node: Node): string | undefined {
    const specifier = isNode(node["source"]) ? (node["source"]["value"] as string) : undefined;
    if (specifier === undefined) return undefined;
    if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier.replace(/\.ts$/, ".d.ts"));
    const [, name, part = ""] = /^@escapement\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
    const target = `${name}/src${part}/index.d.ts`;
    return name !== undefined && existsSync(join(this.folder, target)) ? target : undefined;
  }
}

function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  const declarators = declaration["declarations"] as readonly Node[] | undefined;
  return [nameOf(declaration["id"]), ...(declarators ?? []).map(({ id }) => nameOf(id))].filter(
    (name) => name !== undefined,
  );
}

function entryOf(name: string, source: Source, nodes: readonly Node[]): Entry {
  const texts = nodes.map(({ start, end }) =>
    source.text.slice(start, end).replace(/^export (declare )?|^declare /, ""),
  );
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.text.slice(0, nodes[0]!.start))?.[0] ?? "";
  const [about = ""] = /^.*?(?<!\be\.g|\bi\.e)\.(?=\s|$)/.exec(proseOf(comment)) ?? [proseOf(comment)];
  const declaration = texts.join("\n");
  return { name, isType: /^(interface|type) /.test(declaration), declaration, about };
}

/** Returns the text of a comment without its stars, in one line. */
function proseOf(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, "")
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the text of `packages/cli/api-report.md`. */
export function apiReport(entryPoints: readonly EntryPoint[]): string {
  const parts = entryPoints.map(({ specifier, entries }) => {
    const declarations = entries.map(({ declaration }) => `\`\`\`ts\n${withoutComments(declaration)}\n\`\`\``);
    return [`## ${specifier}`, ...declarations].join("\n\n");
  });
  const head =
    "# API report\n\nEvery declaration of the package's public API. A change here affects users: describe it in the\n" +
    "changelog. Generated by `npm run docs`.";
  return `${[head, ...parts].join("\n\n")}\n`;
}

/** Removes comments and `about` texts, which can change without changing the API. */
function withoutComments(declaration: string): string {
  return declaration
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replace(/^\s*\/\/.*\n/gm, "")
    .replace(/^\s*readonly about: (".*"|\w+);\n/gm, "");
}

/** Returns the text of `docs/api.md`. */
export function apiPage(entryPoints: readonly EntryPoint[]): string {
  const parts = entryPoints.map(({ specifier, about, entries }) => {
    const values = entries.filter(({ isType }) => !isType);
    const types = entries.filter(({ isType }) => isType);
    return [
      `## ${specifier}`,
      about.replace(/^`[^`]+`: (\w)/, (_, letter: string) => letter.toUpperCase()),
      ...(values.length === 0 ? [] : [table(["name", "what it does"], values, signatureOf)]),
      ...(types.length === 0 ? [] : [table(["type", "what it is"], types, ({ name }) => name)]),
    ].join("\n\n");
  });
  const head =
    "# API\n\nThis page lists the names that the package exports, grouped by import path. Full declarations are in\n" +
    "[the API report](../packages/cli/api-report.md) and in your editor. Generated by `npm run docs`.";
  return `${[head, ...parts].join("\n\n")}\n`;
}

function table(head: readonly string[], entries: readonly Entry[], show: (entry: Entry) => string): string {
  const rows = entries.map(
    (entry) => `| \`${show(entry).replaceAll("|", "\\|")}\` | ${entry.about.replaceAll("|", "\\|")} |`,
  );
  return [`| ${head.join(" | ")} |`, "| --- | --- |", ...rows].join("\n");
}

/** Returns a signature with the names and optionality of the parameters; types are in the report. */
function signatureOf({ name, declaration }: Entry): string {
  const source = new Source("a.d.ts", `export declare ${declaration}`);
  const [statement] = source.program["body"] as readonly Node[];
  const node = statement?.["declaration"];
  if (!isNode(node)) return name;
  if (node.type === "ClassDeclaration") return `class ${name}`;
  if (!Array.isArray(node["params"])) return name;
  const params = (node["params"] as readonly Node[]).map((param) => {
    const known = nameOf(param) ?? "{ … }";
    return `${known}${param["optional"] === true ? "?" : ""}`;
  });
  return `${name}(${params.join(", ")})`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const entryPoints = readEntryPoints(process.cwd());
  writeFileSync("packages/cli/api-report.md", apiReport(entryPoints));
  writeFileSync("docs/api.md", apiPage(entryPoints));
}
