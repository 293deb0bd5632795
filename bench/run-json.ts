/** Runs a file in a fresh process and reads the last line that it prints, as JSON. */
import { execFileSync } from "node:child_process";

export interface RunOptions {
  readonly flags?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export function runJson<T>(file: string, args: readonly string[], { flags = [], variables = {} }: RunOptions = {}): T {
  const printed = execFileSync(process.execPath, [...flags, file, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(printed.trimEnd().split("\n").at(-1)!) as T;
}
