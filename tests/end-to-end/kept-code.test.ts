/**
 * `escapement fly` keeps the code that V8 compiles. Without the kept code, or with a damaged file of kept code, a
 * flight has the same bits.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildCommand } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-kept-code-"));
const main = join(folder, "escapement.js");

beforeAll(async () => {
  const built = await buildCommand();
  cpSync(built.folder, folder, { recursive: true, filter: (path) => !path.endsWith(".map") });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
beforeEach(() => keptFiles().forEach((path) => rmSync(path)));
afterAll(() => rmSync(folder, { recursive: true }));

function keptFiles(): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("compiled-"));
  return names.map((name) => join(folder, name));
}

/** Flies for a second in a new process. Returns its fingerprint. */
function fly(...flags: readonly string[]): string {
  const args = [main, "fly", "hover", "--until", "1", ...flags];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  return /fp1:\S+/.exec(stdout)![0];
}

describe("kept code", () => {
  it("is written by the first flight and used by the next", () => {
    const first = fly();
    const files = keptFiles();
    expect(files).toHaveLength(1);
    expect(fly()).toBe(first);
    expect(keptFiles()).toEqual(files);
  });

  it("is replaced if the file is damaged or cut short", () => {
    const first = fly();
    const [path] = keptFiles();
    const bytes = readFileSync(path!);
    for (const damage of [
      () =>
        writeFileSync(
          path!,
          bytes.map((byte, i) => (i > 1e5 && i < 1e5 + 100 ? ~byte : byte)),
        ),
      () => truncateSync(path!, 100_000),
      () => truncateSync(path!, 3),
    ]) {
      damage();
      const damaged = readFileSync(path!);
      expect(fly()).toBe(first);
      expect(readFileSync(path!).equals(damaged)).toBe(false);
    }
  });

  it("is made again for scripts that have changed", () => {
    const first = fly();
    const script = join(folder, "script-fly.js");
    writeFileSync(script, `${readFileSync(script, "latin1")}\n`);
    const [path] = keptFiles();
    const bytes = readFileSync(path!);
    expect(fly()).toBe(first);
    expect(readFileSync(path!).equals(bytes)).toBe(false);
  });

  it("is not used with custom parts, which import modules", () => {
    writeFileSync(join(folder, "parts.js"), `export { coreRegistry } from "./core.js";\nexport const winds = [];\n`);
    expect(fly("--with", join(folder, "parts.js"))).toBe(fly());
    rmSync(keptFiles()[0]!);
    fly("--with", join(folder, "parts.js"));
    expect(keptFiles()).toEqual([]);
  });
});
