/**
 * Names of incomplete files. They contain the id of the process: `flight.mcap.4711.part`. If the process is killed, the
 * part file remains, and the next run finds it by its name.
 */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const PART = /^(.+)\.(\d{1,10})\.part$/;

export function partName(path: string): string {
  return `${path}.${process.pid}.part`;
}

/** Returns the final name of a part file, or undefined if the path does not name a part file. */
export function completeNameOf(path: string): string | undefined {
  const whole = PART.exec(basename(path))?.[1];
  return whole === undefined ? undefined : join(dirname(path), whole);
}

/** Returns the parts of a file that were left behind by processes that are no longer running. */
export function leftOverParts(path: string, isRunning: (pid: number) => boolean = isRunningProcess): string[] {
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const match = PART.exec(name);
    if (match === null || match[1] !== basename(path) || isRunning(Number(match[2]))) return [];
    return [join(dirname(path), name)];
  });
}

function isRunningProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
