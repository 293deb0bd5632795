/**
 * The mock as the files of a PX4 build: a program in `bin`, which is a script, and start scripts in `etc`.
 *
 * MOCK_PX4=mute never connects; MOCK_PX4=taken-once ends as PX4 does beside another of its instance, until the file
 * MOCK_PX4_MARK is there.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SitlProgram } from "../sitl/px4-process.ts";
import { buildProgram } from "./programs.ts";

/** With `isWrapper` the script keeps running and the mock is its child, as when a user's own script starts PX4. */
export async function writeMockProgram(
  folder: string,
  options: { readonly isWrapper?: boolean } = {},
): Promise<SitlProgram> {
  const binary = join(folder, "bin", "px4");
  const etc = join(folder, "etc");
  mkdirSync(join(folder, "bin"), { recursive: true });
  mkdirSync(join(etc, "init.d-posix"), { recursive: true });
  const command = `"${process.execPath}" "${await buildProgram("mock-program")}" "$@"`;
  const script = [
    "#!/bin/sh",
    'if [ "$MOCK_PX4" = mute ]; then echo "INFO  [mock] started"; exec sleep 1000; fi',
    'if [ "$MOCK_PX4" = taken-once ] && [ ! -e "$MOCK_PX4_MARK" ]; then',
    '  touch "$MOCK_PX4_MARK"; sleep 0.2; echo "INFO  [px4] PX4 server already running for instance $3"; exit 255',
    "fi",
    ...(options.isWrapper === true ? [command, "true"] : [`exec ${command}`]),
  ];
  writeFileSync(binary, `${script.join("\n")}\n`);
  chmodSync(binary, 0o755);
  return { binary, etc };
}

/** One that has ended but that nobody has asked about does not run, though its number is still taken. */
export function isRunning(pid: number): boolean {
  try {
    if (existsSync("/proc/self/stat")) return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
