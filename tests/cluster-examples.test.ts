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

/** Makes a command parse its arguments and run nothing. Errors are thrown. */
function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  command.action(() => {});
  for (const sub of command.commands) silence(sub);
}

/** The variable in which a cluster passes each task its number, and the number of the first task. */
interface Tasks {
  readonly variable: string;
  readonly first: number;
  /** Other variables that the cluster sets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A line between the outputs of two tasks. */
const END_OF_TASK = "-- end of task --";

/**
 * Runs a script of a manifest once per task, and returns the arguments that the command gets in each. One shell starts
 * all tasks, because every start from this process would copy its large memory map.
 */
function wordsOfTasks(script: readonly string[], { variable, first, env = {} }: Tasks, count: number): string[][] {
  const loop = `for ((task = ${first}; task < ${first + count}; task += 1)); do
    env "${variable}=$task" "$@" || exit; echo "${END_OF_TASK}"
  done`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", loop, "bash", ...script], {
    env: { PATH: [shims, process.env["PATH"]].join(delimiter), ...env },
    encoding: "utf8",
    cwd: shims,
    // With a socket as standard input, bash would read the user's ~/.bashrc, as for a remote shell.
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const outputs = stdout.split(`${END_OF_TASK}\n`).slice(0, -1);
  expect(outputs).toHaveLength(count);
  return outputs.map((output) => output.trim().split("\n"));
}

/** Runs a script that depends on no task, and returns the arguments that the command gets. */
const words = (script: readonly string[]): string[] => wordsOfTasks(script, { variable: "UNUSED", first: 0 }, 1)[0]!;

async function expectAccepted(given: readonly string[]): Promise<void> {
  await expect(program.parseAsync(given, { from: "user" }), given.join(" ")).resolves.toBeDefined();
}

/** Checks that every part is flown once, into its own folder. */
async function expectAllParts(script: readonly string[], tasks: Tasks): Promise<void> {
  const parts = wordsOfTasks(script, tasks, PARTS);
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

describe("the manifests for clusters", () => {
  it("include an indexed Kubernetes Job that flies every part", async ({ skip }) => {
    const [job] = (documents("kubernetes-job.yml") ?? []) as unknown as Job[];
    if (job === undefined) return skip("python3 has no yaml");
    expect([job.kind, job.spec.completions, job.spec.completionMode]).toEqual(["Job", PARTS, "Indexed"]);
    const [{ command }] = job.spec.template.spec.containers as [{ command: string[] }];
    await expectAllParts(command, { variable: "JOB_COMPLETION_INDEX", first: 0 });
  });

  it("include Kubernetes workers and a coordinator that use the same server", async ({ skip }) => {
    const found = documents("kubernetes-fleet.yml") as unknown as Job[] | undefined;
    if (found === undefined) return skip("python3 has no yaml");
    const commands = found
      .filter(({ kind }) => kind !== "Service")
      .flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ command }) => (command ? [command] : [])))
      .map(words);
    for (const each of commands) await expectAccepted(each);
    const [join, campaign] = commands;
    expect(join![1]).toBe(campaign![campaign!.indexOf("--fleet") + 1]);
    expect(JSON.stringify(found)).toContain("noeviction");
  });

  it("include a Slurm array that flies every part", async () => {
    const script = join(process.cwd(), FOLDER, "slurm-array.sh");
    expect(/--array=1-(\d+)$/m.exec(read("slurm-array.sh"))?.[1]).toBe(`${PARTS}`);
    const env = { SLURM_ARRAY_TASK_MAX: `${PARTS}`, SLURM_CPUS_PER_TASK: "4" };
    await expectAllParts(["bash", script], { variable: "SLURM_ARRAY_TASK_ID", first: 1, env });
    for (const name of ["slurm-array.sh", "slurm-merge.sh"])
      expect(spawnSync("bash", ["-n", join(FOLDER, name)]).status).toBe(0);
    await expectAccepted(words(["bash", join(process.cwd(), FOLDER, "slurm-merge.sh")]));
  });

  it("include an AWS Batch array that flies every part", async () => {
    const { jobDefinition, submission } = JSON.parse(read("aws-batch.json"));
    expect([submission.jobDefinition, submission.arrayProperties.size]).toEqual([
      jobDefinition.jobDefinitionName,
      PARTS,
    ]);
    const { command } = jobDefinition.containerProperties;
    await expectAllParts(command, { variable: "AWS_BATCH_JOB_ARRAY_INDEX", first: 0 });
  });
});
