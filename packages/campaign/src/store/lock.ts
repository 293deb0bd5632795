/** A lock on the folder of a campaign: a file with the id of the process that writes the journal. */
import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { campaignErrors } from "../spec/errors.ts";

const LOCK_FILE = "running.pid";

/**
 * Locks that this process holds. The process id in a lock file is not enough, because a killed process may have had the
 * same id.
 */
const heldLocks = new Set<string>();

export class FolderLock {
  private readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Takes the lock. The lock of a process that has ended is replaced. */
  static take(folder: string): FolderLock {
    const path = join(resolve(folder), LOCK_FILE);
    for (;;) {
      try {
        const fd = openSync(path, "wx");
        writeSync(fd, `${process.pid}\n`);
        closeSync(fd);
        heldLocks.add(path);
        return new FolderLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const owner = ownerOf(path);
      if (heldLocks.has(path) || (owner !== undefined && owner !== process.pid && isRunning(owner))) {
        throw campaignErrors.inUse({
          what: `process ${owner ?? process.pid} writes to this folder`,
          where: { file: folder },
          fix: `wait for it, or choose another folder with -o; if that process runs no campaign, delete ${path}`,
        });
      }
      remove(path);
    }
  }

  release(): void {
    heldLocks.delete(this.path);
    remove(this.path);
  }
}

function ownerOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
