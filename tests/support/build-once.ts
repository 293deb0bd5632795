/**
 * Makes builds that all test processes share. Each is made once for a given state of the sources and kept in `.cache`.
 *
 * The folder's name contains a hash of every file that a build can read, so a build is never stale. A lock prevents two
 * workers from making the same build at the same time.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The repository; ends with a slash. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
// The folder is inside the repository, so that Node finds the libraries that are not in the bundle.
const CACHE = join(root, ".cache/builds");
const INPUTS = ["packages", "tests", "tools", "rolldown.config.ts", "package-lock.json"];
const DAY_MS = 86_400_000;

let key: string | undefined;

/** Returns the folder of a build. Calls `make` to fill it if it does not exist yet. */
export async function buildOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  key ??= hashInputs();
  const folder = join(CACHE, `${name}-${key}`);
  mkdirSync(CACHE, { recursive: true });
  await withLock(join(CACHE, `${name}.lock`), async () => {
    if (existsSync(folder)) return;
    removeOld(name);
    const partial = `${folder}.${process.pid}`;
    mkdirSync(partial, { recursive: true });
    await make(partial);
    renameSync(partial, folder);
  });
  return folder;
}

/** Runs `work` while no other process holds the lock. A lock left behind by a killed process expires. */
export async function withLock<T>(lock: string, work: () => Promise<T>, expiryMs = 300_000): Promise<T> {
  while (!tryLock(lock, expiryMs)) await setTimeout(50);
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function tryLock(lock: string, expiryMs: number): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const madeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - madeMs > expiryMs) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function removeOld(name: string): void {
  for (const entry of readdirSync(CACHE)) {
    const path = join(CACHE, entry);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (entry.startsWith(`${name}-`) && Date.now() - changedMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

function hashInputs(): string {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    const path = join(root, input);
    const files = statSync(path).isDirectory() ? sourcesBelow(path) : [path];
    for (const file of files) hash.update(file.slice(root.length)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:[cm]?[jt]s|json|css)$/.test(name) && !name.endsWith(".test.ts"))
    .filter((name) => !name.split(sep).some((part) => part === "node_modules" || part === "dist"))
    .sort()
    .map((name) => join(folder, name));
}
