/** Checks the manifests for clusters: they parse, the shell accepts their scripts, and one task flies each part. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shardFlag } from "../packages/cli/src/campaign/flags.ts";
import { COMMANDS } from "../packages/cli/src/commands/index.ts";

const FOLDER = "examples/clusters";
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const PARTS = 100;

const shims = mkdtempSync(join(tmpdir(), "escapement-cluster-"));
let program: Command;

beforeAll(async () => {
  // Commands named `escapement` and `npx` that print their arguments, one per line.
  for (const [name, text] of [
    ["escapement", 'for word in "$@"; do echo "$word"; done'],
    ["npx", 'shift; for word in "$@"; do echo "$word"; done'],
  ] as const) {
    writeFileSync(join(shims, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(shims, name), 0o755);
  }
  program = new Command("escapement");
  for (const { load } of Object.values(COMMANDS)) (await load())(program);
  silence(program);
});
afterAll(() => rmSync(shims, { recursive: true }));

/** Makes a command only parse: it runs nothing, and an error throws. */
function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  command.action(() => {});
  for (const sub of command.commands) silence(sub);
}

/** Runs a script of a manifest with the cluster's variables, and returns the arguments that the command gets. */
function words(script: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const [shell, ...args] = script;
  const { status, stdout, stderr } = spawnSync(shell!, args, {
    env: { PATH: [shims, process.env["PATH"]].join(delimiter), ...env },
    encoding: "utf8",
    cwd: shims,
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout.trim().split("\n");
}

async function expectAccepted(given: readonly string[]): Promise<void> {
  await expect(program.parseAsync(given, { from: "user" }), given.join(" ")).resolves.toBeDefined();
}

/** Checks that every part is flown once, into its own folder. */
async function expectAllParts(wordsOf: (task: number) => string[], tasks: readonly number[]): Promise<void> {
  const parts = tasks.map(wordsOf);
  for (const part of [parts[0]!, parts.at(-1)!]) await expectAccepted(part);
  const value = (part: readonly string[], flag: string) => part[part.indexOf(flag) + 1];
  const shards = parts.map((part) => shardFlag(value(part, "--shard"))!);
  expect(shards).toEqual(Array.from({ length: PARTS }, (_, index) => ({ index, count: PARTS })));
  expect(new Set(parts.map((part) => value(part, "-o"))).size).toBe(PARTS);
  expect(parts.every((part) => value(part, "--exit") === "flown")).toBe(true);
}

function documents(name: string): Record<string, never>[] | undefined {
  const parser = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))";
  const { status, stdout } = spawnSync("python3", ["-c", parser], { input: read(name), encoding: "utf8" });
  if (status !== 0 && spawnSync("python3", ["-c", "import yaml"]).status !== 0) return undefined;
  expect(status).toBe(0);
  return JSON.parse(stdout) as Record<string, never>[];
}

interface Job {
  readonly kind: string;
  readonly spec: {
    readonly completions: number;
    readonly completionMode: string;
    readonly template: { readonly spec: { readonly containers: readonly { readonly command?: string[] }[] } };
  };
}

const from = (first: number) => Array.from({ length: PARTS }, (_, i) => first + i);

describe("the manifests for clusters", () => {
  it("include an indexed Kubernetes Job that flies every part", async ({ skip }) => {
    const [job] = (documents("kubernetes-job.yml") ?? []) as unknown as Job[];
    if (job === undefined) return skip("python3 has no yaml");
    expect([job.kind, job.spec.completions, job.spec.completionMode]).toEqual(["Job", PARTS, "Indexed"]);
    const [{ command }] = job.spec.template.spec.containers as [{ command: string[] }];
    await expectAllParts((task) => words(command, { JOB_COMPLETION_INDEX: `${task}` }), from(0));
  });

  it("include Kubernetes workers and a coordinator that use the same server", async ({ skip }) => {
    const found = documents("kubernetes-fleet.yml") as unknown as Job[] | undefined;
    if (found === undefined) return skip("python3 has no yaml");
    const commands = found
      .filter(({ kind }) => kind !== "Service")
      .flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ command }) => (command ? [command] : [])))
      .map((command) => words(command, {}));
    for (const each of commands) await expectAccepted(each);
    const [join, campaign] = commands;
    expect(join![1]).toBe(campaign![campaign!.indexOf("--fleet") + 1]);
    expect(JSON.stringify(found)).toContain("noeviction");
  });

  it("include a Slurm array that flies every part", async () => {
    const script = join(process.cwd(), FOLDER, "slurm-array.sh");
    expect(/--array=1-(\d+)$/m.exec(read("slurm-array.sh"))?.[1]).toBe(`${PARTS}`);
    const env = { SLURM_ARRAY_TASK_MAX: `${PARTS}`, SLURM_CPUS_PER_TASK: "4" };
    await expectAllParts((task) => words(["bash", script], { ...env, SLURM_ARRAY_TASK_ID: `${task}` }), from(1));
    for (const name of ["slurm-array.sh", "slurm-merge.sh"])
      expect(spawnSync("bash", ["-n", join(FOLDER, name)]).status).toBe(0);
    await expectAccepted(words(["bash", join(process.cwd(), FOLDER, "slurm-merge.sh")], {}));
  });

  it("include an AWS Batch array that flies every part", async () => {
    const { jobDefinition, submission } = JSON.parse(read("aws-batch.json"));
    expect([submission.jobDefinition, submission.arrayProperties.size]).toEqual([
      jobDefinition.jobDefinitionName,
      PARTS,
    ]);
    const { command } = jobDefinition.containerProperties;
    await expectAllParts((task) => words(command, { AWS_BATCH_JOB_ARRAY_INDEX: `${task}` }), from(0));
  });
});
