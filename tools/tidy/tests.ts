/**
 * Checks that tests run completely: none uses `.only`, and none returns before its last statement, because it would
 * then pass without its assertions. A test that cannot run calls `skip("reason")`, and the reason is printed.
 */
import { type Finding, isNode, nameOf, type Node, type Source } from "./source.ts";

export function* checkTests(source: Source): Generator<Finding> {
  for (const { node, ancestors } of source.visits) {
    const object = node.type === "MemberExpression" ? nameOf(node["object"]) : undefined;
    if (nameOf(node["property"]) === "only" && ["it", "test", "describe"].includes(object ?? "")) {
      yield* source.finding("only", node.start, `${object}.only skips the other tests`);
    }
    if (node.type === "ReturnStatement" && leavesTest(node, ancestors)) {
      yield* source.finding(
        "early-return",
        node.start,
        "the assertions below would not run: use an if around them, or skip with a reason",
      );
    }
  }
}

/** Returns true if a return ends the callback of a test before its last statement, other than by skipping the test. */
function leavesTest(node: Node, ancestors: readonly Node[]): boolean {
  const value = node["argument"];
  if (isNode(value) && nameOf(value["callee"]) === "skip") return false;
  const at = ancestors.findIndex(({ type }) => /Function/.test(type));
  const [body, call] = [ancestors[at - 1], ancestors[at + 1]];
  if (at < 1 || call?.type !== "CallExpression" || !isTestCall(call["callee"])) return false;
  const statements = isNode(body) && Array.isArray(body["body"]) ? (body["body"] as readonly Node[]) : [];
  return statements.at(-1) !== node;
}

/** Returns true for `it(…)`, `test(…)`, and the results of `it.each(…)`, `it.skipIf(…)` and the like. */
function isTestCall(callee: unknown): boolean {
  const name = nameOf(callee);
  if (name !== undefined) return name === "it" || name === "test";
  if (!isNode(callee)) return false;
  return isTestCall(callee.type === "MemberExpression" ? callee["object"] : (callee["callee"] ?? callee["tag"]));
}
