/**
 * The package as a user gets it: packed, unpacked into a project that has nothing but what the package depends on,
 * type-checked with the README's own lines and run.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface PackageFacts {
  readonly dependencies: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "escapement-packed-"));
const [, snippet] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))!;

beforeAll(() => {
  execFileSync("npm", ["pack", "-w", "packages/cli", "--pack-destination", project], { cwd: root, stdio: "pipe" });
  const packed = readdirSync(project).find((name) => name.endsWith(".tgz"))!;
  const home = join(project, "node_modules/escapement");
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", join(project, packed), "-C", home, "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as PackageFacts;
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
  }
});
afterAll(() => rmSync(project, { recursive: true }));

/** What the compiler says of a file in the project, with every declaration of the package checked too. */
function compiled(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", ""];
  return spawnSync(process.execPath, [tsc, ...flags, name], { cwd: project, encoding: "utf8" }).stdout;
}

describe("the packed package", () => {
  it("has types that hold the README's lines, and nothing that contradicts them", () => {
    expect(compiled("right.ts", `${snippet}\nconsole.log(JSON.stringify(flight.outcome));\n`)).toBe("");
    expect(compiled("wrong.ts", `${snippet}\nexport const outcome: number = flight.outcome;\n`)).toContain("TS2322");
  });

  it("flies", () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["right.js"], { cwd: project, encoding: "utf8" });
    expect([stderr, stdout.trim()]).toEqual(["", '"crashed"']);
  });

  it("is a command that writes and reads every kind of file", () => {
    const main = join(project, "node_modules/escapement/dist/escapement.js");
    const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { cwd: project, encoding: "utf8" });
    const logs = ["a.csv", "a.ulg", "a.h5", "a.parquet", "a.log.mcap"];
    expect(run("fly", "drop", "--record", "a.mcap", "--log", ...logs, "--picture", "a.svg").stderr).toBe("");
    expect(run("replay", "a.mcap").stdout).toContain("the same bits");
    expect(run("report", "a.mcap").stdout).toContain("wrote a.html");
    for (const from of ["a.mcap", "a.csv", "a.h5", "a.parquet", "a.log.mcap"]) {
      expect(run("convert", from, "made.csv", "--overwrite").stderr).toBe("");
    }
  });
});
