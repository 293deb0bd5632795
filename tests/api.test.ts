/**
 * Checks the package's public API: it matches the committed report, every name has a description, and names are few.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { apiPage, apiReport, readEntryPoints } from "../tools/api.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const entryPoints = readEntryPoints(root);
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the public API", () => {
  it("matches the committed report; after an intended change, run `npm run docs` and update CHANGELOG.md", () => {
    expect(apiReport(entryPoints)).toBe(read("packages/cli/api-report.md"));
    expect(apiPage(entryPoints)).toBe(read("docs/api.md"));
  });

  it.each(entryPoints.map(({ specifier, entries }) => [specifier, entries] as const))(
    "describes every name of %s",
    (_, entries) => {
      expect(entries.filter(({ about }) => about === "").map(({ name }) => name)).toEqual([]);
    },
  );

  it("exports at most 80 names at the root", () => {
    const [own, core] = ["escapement", "escapement/core"].map((path) =>
      entryPoints.find(({ specifier }) => specifier === path)!,
    );
    expect(own!.entries.length + core!.entries.length).toBeLessThanOrEqual(80);
  });
});
