/**
 * The hash of the code that decides the bits of a row: everything that a flying thread imports, and custom parts.
 *
 * It follows the imports from the thread's own file, in the bundle as in the sources. Two builds with equal code have
 * equal hashes, even if their versions have different names. Code that only prints or plans does not count.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FlownBy } from "@escapement/campaign";
import { lockstepCodeFiles } from "@escapement/px4";
import { THREAD_FILE } from "./thread-entry.ts";

/** Static and dynamic imports, also in minified code. Text that only looks like one is harmless. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g;
const PACKAGE = /^@escapement\/([a-z0-9]+)(?:\/([a-z]+))?$/;

/** The code that flies a campaign on this machine; with the library of PX4 if it flies. */
export function campaignCode(flownBy: FlownBy, modules: readonly string[]): string {
  const px4 = flownBy === "children" ? lockstepCodeFiles() : [];
  return codeHash(THREAD_FILE, [...px4, ...modules]);
}

/** 64 hex digits. */
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

/** Names are relative to this folder, so that they do not depend on where the program is installed. */
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
