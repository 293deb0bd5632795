/** Implements `escapement campaign merge`: joins parts, judges all rows, and writes the results. */
import { existsSync } from "node:fs";
import { JournalRows, judgeRows, mergeJournals, ObjectStore } from "@escapement/campaign";
import { campaignLines, sensitivityLines } from "../print/campaign.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { EXIT } from "../exit-codes.ts";
import { commandOf } from "./kept-files.ts";
import { writeAll } from "./results.ts";
import { exitCodeOf } from "./run.ts";
import { copyStored } from "./stored-campaign.ts";

interface MergeFlags {
  readonly output: string;
  readonly json?: true;
}

export async function runMerge(given: readonly string[], { output, json }: MergeFlags): Promise<number> {
  const parts = (await Promise.all(given.map((part) => foldersOf(part, output)))).flat();
  const { journal, manifest, missing, missingCount } = mergeJournals(parts, output);
  const rows = new JournalRows(journal);
  const criteria = judgeRows(manifest, rows, missingCount === 0);
  const source = { manifest, rows, countedEnd: Infinity, conclusions: { criteria } };
  const summary = await writeAll(output, source, {});
  copyStored(parts, output, manifest.identity);
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ ...summary, folder: output, missing, missingCount }, null, 2)}\n`);
  } else {
    const style = styleFor(process.stdout, process.env);
    const columns = columnsOf(process.stdout);
    const file = existsSync(manifest.file) ? manifest.file : output;
    const more = missingCount > missing.length ? " …" : "";
    const lines = [
      `${style.strong(manifest.name)}   ${rows.size} rows of ${parts.length} ${parts.length === 1 ? "part" : "parts"} in ${output}/`,
      ...(missingCount === 0
        ? []
        : [style.trouble(`  ${missingCount} flights are missing: ${missing.join(", ")}${more}`)]),
      ...campaignLines(summary, (k) => commandOf({ ...manifest, file, folder: output }, k), { style, columns }),
      ...sensitivityLines(summary, manifest.plan.kind, { style, columns }),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return missingCount > 0 ? EXIT.flightsFailed : exitCodeOf(summary, undefined);
}

/** Returns a folder, or the folders into which the parts of an object store are copied. */
async function foldersOf(part: string, output: string): Promise<readonly string[]> {
  if (!part.startsWith("s3:")) return [part];
  return (await ObjectStore.open(part)).fetchParts(output);
}
