/**
 * Writes the mock as the files of a PX4 build: a script as the program in `bin`, and an empty `etc/init.d-posix`.
 *
 * With MOCK_PX4=mute it never connects. With MOCK_PX4=taken-once its first start fails, like PX4 if its instance number
 * is in use. The script then creates the file that MOCK_PX4_MARK names, and later starts succeed.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SitlProgram } from "../sitl/px4-process.ts";
import { buildProgram } from "./programs.ts";

/**
 * Writes the files. With `isWrapper`, the script keeps running and the mock is its child, as if a user's script ran
 * PX4.
 */
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

/** Returns true if a process runs. A zombie (ended, but not yet reaped by its parent) does not count as running. */
export function isRunning(pid: number): boolean {
  try {
    if (existsSync("/proc/self/stat")) return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
