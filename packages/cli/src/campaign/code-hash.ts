/**
 * Hashes the code that determines the bits of a row: everything that a worker thread imports, and custom parts.
 *
 * It follows the imports of the thread's entry file, both in the bundle and in the sources. Two builds with equal code
 * have equal hashes, even if their versions differ. Code that the thread does not import is not hashed.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FlownBy } from "@escapement/campaign";
import { lockstepCodeFiles } from "@escapement/px4";
import { THREAD_FILE } from "./thread-entry.ts";

/**
 * Matches static and dynamic imports, even in minified code. A false match is harmless, because files that do not exist
 * are skipped.
 */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g;
const PACKAGE = /^@escapement\/([a-z0-9]+)(?:\/([a-z]+))?$/;

/** Returns the hash of the code that flies a campaign on this machine, including the PX4 library if it is used. */
export function campaignCode(flownBy: FlownBy, modules: readonly string[]): string {
  const px4 = flownBy === "children" ? lockstepCodeFiles() : [];
  return codeHash(THREAD_FILE, [...px4, ...modules]);
}

/** Returns the SHA-256 hash as 64 hex digits. */
function codeHash(entry: URL, modules: readonly string[] = []): string {
  const main = fileURLToPath(entry);
  const hash = createHash("sha256");
  for (const [root, path] of [
    [rootOf(main), main] as const,
    ...modules.map((file) => [dirname(resolve(file)), file] as const),
  ]) {
    const files = new Set<string>();
    collect(resolve(path), files);
    for (const file of [...files].sort()) {
      hash.update(`${relative(root, file).replaceAll("\\", "/")}\0`);
      hash.update(readFileSync(file));
      hash.update("\0");
    }
  }
  return hash.digest("hex");
}

/**
 * Returns the folder to which hashed file names are relative, so that they do not depend on the installation folder.
 */
function rootOf(file: string): string {
  const at = file.replaceAll("\\", "/").lastIndexOf("/packages/");
  return at < 0 ? dirname(file) : file.slice(0, at);
}

function collect(path: string, files: Set<string>): void {
  if (files.has(path) || !existsSync(path)) return;
  files.add(path);
  // Other files, e.g. JSON, import nothing.
  if (!/\.[cm]?[jt]s$/.test(path)) return;
  for (const [, specifier] of readFileSync(path, "utf8").matchAll(IMPORT)) {
    const target = targetOf(specifier!, path);
    if (target !== undefined) collect(target, files);
  }
}

function targetOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) return resolve(dirname(from), specifier);
  const [, name, part] = PACKAGE.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const folder = join(rootOf(from), "packages", name, "src");
  return join(folder, part === undefined ? "index.ts" : join(part, "index.ts"));
}
