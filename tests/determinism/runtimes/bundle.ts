/** The reference flights as one script without modules, for runtimes that have none or are another version. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const CACHE = `${root}.cache/determinism`;

/** Code that defines the global `referenceFlights`, with `flyAll`. */
export async function bundleFlights(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const build = await rolldown({
    input: `${root}tests/determinism/reference-flights.ts`,
    resolve: { conditionNames: ["source", "import", "default"] },
    platform: "neutral",
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "iife", name: "referenceFlights" });
  await build.close();
  return output[0].code;
}
