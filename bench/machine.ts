/** Describes the machine, for the results. */
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { compilerText } from "./compile-native.ts";

export interface Machine {
  /** Short, for file names. */
  readonly name: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  readonly node: string;
  readonly v8: string;
  /** Absent if no compiler was found. */
  readonly compiler?: string;
}

export function machine(): Machine {
  const cores = cpus();
  const cpu = (cores[0]?.model ?? "unknown").replace(/\(R\)|\(TM\)|Processor|CPU|@.*$/g, "").trim();
  const compiler = compilerText();
  const name = `${cpu} ${cores.length} cores node ${process.versions.node.split(".")[0]}`;
  return {
    name: name.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    cpu,
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
    ...(compiler === undefined ? {} : { compiler }),
  };
}

/** Returns the current commit, with a plus if the work tree differs from it. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", "packages", "bench");
    return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`;
  } catch {
    return "unknown";
  }
}
