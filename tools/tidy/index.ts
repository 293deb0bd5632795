/**
 * Applies all tidy rules to the repository: `npx tsx tools/tidy/index.ts` prints the findings; a test requires none.
 *
 * The files come from git, so ignored files are not read. A rule is a generator of findings over one file or over all.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLayers } from "./layers.ts";
import { checkModules } from "./modules.ts";
import { checkPurity } from "./purity.ts";
import { checkMarkdown, checkShape } from "./shape.ts";
import { type Finding, Source } from "./source.ts";
import { checkTests } from "./tests.ts";
import { checkViewer } from "./viewer.ts";

/** Files by their paths from the root. */
export type Files = Readonly<Record<string, string>>;

/** Yields the findings in these files: first per file, then over all files. */
export function* checkFiles(files: Files): Generator<Finding> {
  const sources: Source[] = [];
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".md")) yield* checkMarkdown(path, text);
    if (!/\.tsx?$/.test(path) || path.endsWith(".d.ts")) continue;
    const source = new Source(path, text);
    sources.push(source);
    yield* checkLayers(source);
    yield* checkViewer(source);
    yield* checkPurity(source);
    yield* checkShape(source);
    yield* checkTests(source);
  }
  yield* checkModules(sources);
}

/** Returns the findings in the repository. */
export function tidy(root: string): Finding[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).split("\0");
  const paths = listed.filter((path) => /\.(tsx?|md)$/.test(path) && existsSync(join(root, path)));
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  return [...checkFiles(files)];
}

export function describeFinding({ rule, file, line, what }: Finding): string {
  return `${file}:${line}  ${rule}: ${what}`;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const findings = tidy(process.cwd());
  for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
