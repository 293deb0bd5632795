/** Checks the examples for CI: the page shows them unchanged, YAML parsers accept them, and their commands exist. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../packages/cli/src/commands/index.ts";

const docs = readFileSync("docs/flights-in-ci.md", "utf8");
const FILES = ["github-actions.yml", "gitlab-ci.yml", "gusts.campaign.toml"] as const;
const example = (name: string) => readFileSync(`examples/ci/${name}`, "utf8");

/** Returns the commands in a text, without the words before `escapement`. */
function commandsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [, command] = /(?:^|run: |- |run )(?:npx )?escapement (.+)$/.exec(line.trim()) ?? [];
    return command === undefined ? [] : [command];
  });
}

describe("the examples for CI", () => {
  let program: Command;

  beforeAll(async () => {
    program = new Command("escapement");
    for (const { load } of Object.values(COMMANDS)) (await load())(program);
    silence(program);
  });

  /** Makes a command parse its arguments and run nothing. Errors are thrown. */
  function silence(command: Command): void {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.action(() => {});
    for (const sub of command.commands) silence(sub);
  }

  it.each(FILES)("%s is the same on the page and in the folder", (name) => {
    expect(docs).toContain(`\n${example(name).trim()}\n\`\`\``);
  });

  it.for(FILES.slice(0, 2))("%s is YAML with the steps that the page describes", (name, { skip }) => {
    const program = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin), default=str))";
    const { status, stdout } = spawnSync("python3", ["-c", program], { input: example(name), encoding: "utf8" });
    if (status !== 0 && spawnSync("python3", ["-c", "import yaml"]).status !== 0) return skip("python3 has no yaml");
    expect(status).toBe(0);
    const parsed = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    const { fly, judge } = name === "gitlab-ci.yml" ? parsed : (parsed["jobs"] as typeof parsed);
    expect(JSON.stringify(fly)).toContain("--exit flown");
    expect(JSON.stringify(judge)).toContain("campaign merge part-1 part-2 part-3 part-4 -o gusts");
  });

  it("name only commands and flags that exist", async () => {
    const texts = [docs, ...FILES.map(example)];
    const commands = [...new Set(texts.flatMap(commandsIn))];
    expect(commands.length).toBeGreaterThan(6);
    for (const command of commands) {
      const words = command.replaceAll(/\$\{\{[^}]*\}\}/g, "1").split(/\s+/);
      await expect(program.parseAsync(words, { from: "user" }), command).resolves.toBeDefined();
    }
  });
});
