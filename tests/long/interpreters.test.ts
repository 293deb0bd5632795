/** Flies the complete short reference flights in interpreters, which takes minutes (law 9). */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { referenceFlights } from "../determinism/reference-flights.ts";
import { bundleFlights } from "../determinism/runtimes/bundle.ts";
import { runInProcess } from "../determinism/runtimes/process.ts";
import { runInQuickJs } from "../determinism/runtimes/quickjs.ts";

const text = readFileSync(new URL("../determinism/digests.json", import.meta.url), "utf8");
const committed = JSON.parse(text) as Record<string, unknown>;
const short = Object.fromEntries(
  referenceFlights.filter(({ isShort }) => isShort).map(({ name }) => [name, committed[name]]),
);

describe("[L9.1] interpreters reproduce the committed digests", () => {
  let code = "";
  beforeAll(async () => {
    code = await bundleFlights();
  });

  it("Node without the optimising compilers", async () => {
    expect(await runInProcess(code, { args: ["--no-opt"], flights: "short" })).toEqual(short);
  });

  it("QuickJS", async () => {
    expect(await runInQuickJs(code, "short")).toEqual(short);
  });
});
