/** Bundles the reference flights into one script, for runtimes without modules and for other Node versions. */
import { rolldown } from "rolldown";
import { root } from "../../support/build-once.ts";

/** Returns a script that defines the global `referenceFlights`, with `flyAll`. */
export async function bundleFlights(): Promise<string> {
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
