/**
 * Writes the committed digests of the reference flights.
 *
 * A changed plant digest is a change of behaviour. It is written only if the Unreleased part of the changelog has a
 * line under *Behaviour* that explains it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { flyAll } from "../tests/determinism/reference-flights.ts";
import { hasBehaviourEntry } from "./changelog.ts";

const FILE = "tests/determinism/digests.json";
const before = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, { plant: string }>) : {};
const after = flyAll("all");
const changed = Object.keys(after).filter(
  (name) => before[name] !== undefined && before[name].plant !== after[name]!.plant,
);

if (changed.length > 0 && !hasBehaviourEntry(readFileSync("CHANGELOG.md", "utf8"))) {
  process.stderr.write(
    `plant digests changed: ${changed.join(", ")}\nexplain this under "### Behaviour" of "## Unreleased" in CHANGELOG.md, then run this again\n`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);
  process.stdout.write(`${Object.keys(after).length} flights, ${changed.length} changed\n`);
}
