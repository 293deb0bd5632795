/**
 * Runs the tutorial and the guide to a vehicle of your own: writes their files into an empty folder and runs their
 * commands in order, as a reader would.
 *
 * A fenced block with a file name after the language is a file. Each line of an `sh` block is a command; the comment
 * `# exits with N` states the expected exit code, which is otherwise 0.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, type BuiltCommand, CommandSession } from "./support/command.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = ["docs/tutorial.md", "docs/own-vehicle.md"]
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
  language: language!,
  file,
  text: text!,
}));
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
const commands = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trim().split("\n"));

let built: BuiltCommand;
let command: CommandSession;
let folder: string;

beforeAll(async () => {
  // Use a folder inside the repository, so that the package `escapement` is found.
  mkdirSync(join(root, ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, ".cache/tutorial-"));
  for (const { file, text } of files) writeFileSync(join(folder, file), text);
  built = await buildCommand();
  command = new CommandSession(built, folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the commands of the tutorial", () => {
  it.each(commands)("exit with the documented code: %s", async (line) => {
    const [, args, code = "0"] = /^npx escapement (.*?)\s*(?:#.*exits with (\d+))?$/.exec(line)!;
    const { code: actual, out, err } = await command.run(args!.split(/\s+/));
    expect(actual, `${out}\n${err}`).toBe(Number(code));
  });

  it("write the files that the page names", () => {
    for (const file of ["gust.mcap", "gust.html", "small.svg"]) expect(existsSync(join(folder, file)), file).toBe(true);
  });
});

describe("the errors in the tutorial", () => {
  it("are all reported, each with its location", async () => {
    const { err } = await command.run(["check", "wrong.toml"]);
    expect(err).toContain('did you mean "dryden"?');
    expect(err).toContain("line 8");
    expect(err).toContain('unknown key "motors"');
  });
});

describe("the test file of the tutorial", () => {
  it("passes", () => {
    // Use the built package, because loading its sources would take longer than the test. The pattern in `external`
    // keeps Vite from transforming the bundle; a path would not match there.
    const config = `export default {
      resolve: { alias: { escapement: ${JSON.stringify(join(built.folder, "index.js"))} } },
      test: { testTimeout: 120_000, server: { deps: { external: [/\\.cache\\/builds\\//] } } },
    };\n`;
    writeFileSync(join(folder, "vitest.config.ts"), config);
    const out = execFileSync(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder],
      {
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1" },
      },
    );
    expect(out).toMatch(/Tests\s+1 passed/);
  });
});
