/**
 * Rewrites the golden flights: fingerprint, events and table of every built-in flight.
 *
 * A changed fingerprint is written only if the Unreleased part of the changelog has a line under *Behaviour* that
 * explains it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { flyGolden, goldenNames } from "../tests/golden/golden-flights.ts";
import { hasBehaviourEntry } from "./changelog.ts";

const FOLDER = "tests/golden";
const changed: string[] = [];
const files = new Map<string, string>();
for (const name of goldenNames) {
  const { summary, table } = flyGolden(name);
  const path = `${FOLDER}/${name}.json`;
  if (existsSync(path) && readFileSync(path, "utf8") !== summary) changed.push(name);
  files.set(path, summary).set(`${FOLDER}/${name}.csv`, table);
}

if (changed.length > 0 && !hasBehaviourEntry(readFileSync("CHANGELOG.md", "utf8"))) {
  process.stderr.write(
    `golden flights changed: ${changed.join(", ")}\nexplain this under "### Behaviour" of "## Unreleased" in CHANGELOG.md, then run this again\n`,
  );
  process.exitCode = 1;
} else {
  for (const [path, text] of files) writeFileSync(path, text);
  process.stdout.write(
    `${goldenNames.length} flights, changed: ${changed.length === 0 ? "none" : changed.join(", ")}\n`,
  );
}
