/** Bundles the flights of `flown.ts` into one script, with or without kernels compiled at bundling time. */
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";
import { readyKernels } from "../../../tools/compile/ready.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns a script that defines the global `flown`, which has `flyThem`. */
export async function bundle(isReady: boolean): Promise<string> {
  const build = await rolldown({
    input: `${root}tests/compile/support/flown.ts`,
    cwd: root,
    resolve: { conditionNames: ["source", "import", "default"] },
    platform: "neutral",
    logLevel: "silent",
    plugins: isReady ? [readyKernels] : [],
  });
  const { output } = await build.generate({ format: "iife", name: "flown" });
  await build.close();
  return output[0].code;
}

/** Inserts a call counter, COUNTS.all, into every function of a script, as coverage tools do. */
export function insertCallCounters(code: string): string {
  const places: number[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, body } = node as { type?: string; body?: { type: string; start: number } };
    if (type !== undefined && /Function/.test(type) && body?.type === "BlockStatement") places.push(body.start + 1);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync("flown.js", code).program);
  let text = "";
  let from = 0;
  for (const place of places.sort((a, b) => a - b)) {
    text += `${code.slice(from, place)} COUNTS.all += 1; `;
    from = place;
  }
  return `const COUNTS = { all: 0 };\n${text}${code.slice(from)}`;
}
