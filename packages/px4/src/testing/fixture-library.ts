/**
 * Compiles our small lockstep library for tests, once per test file, into a temporary folder.
 *
 * Without a C compiler, the tests that need it are skipped and report the reason.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { libraryName } from "../lockstep/discovery.ts";
import { KNOWN_TOPICS, knownLayout } from "../uorb/index.ts";

const SOURCE = fileURLToPath(new URL("../../fixtures/lockstep-fixture.c", import.meta.url));
const COMPILER = process.env.CC ?? "cc";

/** The reason why the fixture cannot be built on this machine; undefined if it can. */
export const noCompiler: string | undefined =
  spawnSync(COMPILER, ["--version"]).status === 0 ? undefined : `no C compiler (${COMPILER})`;

interface FixtureLibrary {
  readonly path: string;
  remove(): void;
}

export function buildFixture(): FixtureLibrary {
  const folder = mkdtempSync(join(tmpdir(), "escapement-fixture-"));
  const rows = KNOWN_TOPICS.map((topic) => {
    const { size, sizeNoPadding, hash, queueLength } = knownLayout(topic);
    return `TOPIC(${topic}, ${size}, ${sizeNoPadding}, 0x${hash.toString(16)}u, ${queueLength})`;
  });
  writeFileSync(join(folder, "topics.inc"), `${rows.join("\n")}\n`);
  const path = join(folder, libraryName());
  const built = spawnSync(
    COMPILER,
    ["-std=gnu11", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-I", folder, "-o", path, SOURCE, "-lm"],
    {
      encoding: "utf8",
    },
  );
  if (built.status !== 0) throw new Error(`the fixture does not compile:\n${built.stderr}`);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
