/**
 * All tidy rules over the repository: `npx tsx tools/tidy/index.ts` prints what is not tidy; a test demands nothing is.
 *
 * Files come from git, so that what is ignored stays unread; a rule is a generator of findings over one file.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkLayers } from "./layers.ts";
import { checkPurity } from "./purity.ts";
import { checkMarkdown, checkShape } from "./shape.ts";
import { type Finding, Source } from "./source.ts";

export type { Finding } from "./source.ts";

/** What is wrong with one file, given its path from the root and its text. */
export function* checkFile(path: string, text: string): Generator<Finding> {
  if (path.endsWith(".md")) yield* checkMarkdown(path, text);
  if (!/\.tsx?$/.test(path) || path.endsWith(".d.ts")) return;
  const source = new Source(path, text);
  yield* checkLayers(source);
  yield* checkPurity(source);
  yield* checkShape(source);
}

/** What is wrong with the repository. */
export function tidy(root: string): Finding[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  return listed
    .filter((path) => /\.(tsx?|md)$/.test(path) && existsSync(join(root, path)))
    .flatMap((path) => [...checkFile(path, readFileSync(join(root, path), "utf8"))]);
}

export function describeFinding({ rule, file, line, what }: Finding): string {
  return `${file}:${line}  ${rule}: ${what}`;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const findings = tidy(process.cwd());
  for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
