/** Flights of campaigns by their number, as files that the page can open. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderName, writeText } from "@escapement/campaign";
import type { Registry } from "@escapement/core";
import { tomlText } from "@escapement/formats";
import { numberedFlight } from "../campaign/numbered-flight.ts";
import { numberedName } from "../load/flight-files.ts";

/**
 * Replaces each name such as `gusts.campaign.toml#411` by the path of a file with the description of that flight. The
 * files are deleted when the process ends; the page can save changes elsewhere.
 */
export async function withNumberedFiles(names: readonly string[], registry: Registry): Promise<readonly string[]> {
  if (names.every((name) => numberedName(name) === undefined)) return names;
  const folder = mkdtempSync(join(tmpdir(), "escapement-view-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return Promise.all(
    names.map(async (name) => {
      const numbered = numberedName(name);
      if (numbered === undefined) return name;
      const title = `${folderName(numbered.campaign).replaceAll(/[^\w.-]/g, "-")}-${numbered.k}`;
      const path = join(folder, `${title}.toml`);
      writeText(path, `${tomlText(await numberedFlight(numbered, registry))}\n`);
      return path;
    }),
  );
}
