/**
 * Checks the shape of files: a header that says what the file is, limited lengths, and no marks of unfinished work.
 *
 * A source file or function may exceed its limit if the header says why, in a sentence with the words "long because".
 */
import { isTest } from "./layers.ts";
import { type Finding, isNode, type Node, type Source } from "./source.ts";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;

export function* checkShape(source: Source): Generator<Finding> {
  const isOurs = /^(packages|tests|tools|bench|examples)\//.test(source.path);
  if (isOurs && source.header === "" && !isBarrel(source.program)) {
    yield* source.finding("header", 0, "start the file with a comment that says what it is");
  }
  yield* leftovers(source.path, source.text);
  const isLongAllowed = /long because/i.test(source.header);
  if (isTest(source.path) || !source.path.startsWith("packages/") || isLongAllowed) return;
  if (source.lineCount > MAX_FILE_LINES) {
    yield* source.finding(
      "length",
      0,
      `${source.lineCount} lines: split the file, or write "long because …" in its header`,
    );
  }
  for (const { node } of source.visits) {
    const lines = functionLines(source, node);
    if (lines > MAX_FUNCTION_LINES) yield* source.finding("length", node.start, `a function of ${lines} lines`);
  }
}

/** Returns the number of lines of a function; 0 for anything else. */
function functionLines(source: Source, node: Node): number {
  const body = node["body"];
  if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) || !isNode(body)) return 0;
  return source.lineOf(body.end) - source.lineOf(node.start) + 1;
}

/** Returns true for a file with only imports and re-exports, which needs no header. */
function isBarrel(program: Node): boolean {
  const body = program["body"] as readonly Node[];
  return body.every(
    ({ type, source }) => type === "ImportDeclaration" || (type.startsWith("Export") && isNode(source)),
  );
}

// Built from parts, so that this file does not match.
const UNFINISHED = new RegExp(`\\b(${["TO", "FIX", "XX"].join("|")})(DO|ME|X)\\b`);

/** Yields marks of unfinished work, in any text file. */
function* leftovers(path: string, text: string): Generator<Finding> {
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (UNFINISHED.test(line))
      yield {
        rule: "unfinished",
        file: path,
        line: i + 1,
        what: "unfinished work: finish it, or record it in an issue",
      };
  }
}

/** Checks that a document has one title, on the first line. */
export function* checkMarkdown(path: string, text: string): Generator<Finding> {
  yield* leftovers(path, text);
  const outsideFences = text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, (fence) => fence.replace(/[^\n]/g, ""));
  const titles = outsideFences.split("\n").flatMap((line, i) => (/^# \S/.test(line) ? [i + 1] : []));
  if (titles.length === 1 && titles[0] === 1) return;
  const what = titles.length === 0 ? "no title" : `titles on lines ${titles.join(", ")}`;
  yield { rule: "title", file: path, line: titles[1] ?? 1, what: `${what}: a document has one, on its first line` };
}
