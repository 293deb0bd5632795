/**
 * Writes type declarations beside the bundle, into packages/cli/dist/types, when the package is packed.
 *
 * The bundle contains the workspace packages, so it needs their declarations too. The compiler emits the declarations
 * of every source. Those that can be reached from the package's entries are kept, with paths instead of package names.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const EMITTED = ".cache/types";
const DIST = "packages/cli/dist/types";
const ENTRIES = ["index", "core", "engine", "models", "math", "formats", "px4", "campaign", "matchers", "vitest"].map(
  (name) => (name === "index" ? "cli/src/index.d.ts" : `cli/src/public/${name}.d.ts`),
);
/** `from "…"`, `import("…")` and `import "…"`. */
const SPECIFIER = /(\bfrom |\bimport\(|^import )"([^"]+)"/gm;

/** Returns the emitted file that a specifier resolves to, or undefined for other packages. */
function targetOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier.replace(/\.ts$/, ".d.ts"));
  const [, name, part = ""] = /^@escapement\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `${name}/src${part}/index.d.ts`;
}

/** Returns the destination of an emitted file, without the `src` folders. */
function placeOf(emitted: string): string {
  return emitted.replace("/src/", "/");
}

function pathBetween(from: string, to: string): string {
  const path = posix.relative(posix.dirname(placeOf(from)), placeOf(to)).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

function keepReachable(): number {
  const waiting = [...ENTRIES];
  const kept = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const from = file;
    const text = readFileSync(join(EMITTED, from), "utf8").replace(SPECIFIER, (whole, before: string, name: string) => {
      const target = targetOf(name, from);
      if (target === undefined) return whole;
      if (!existsSync(join(EMITTED, target))) throw new Error(`${from} imports ${name}, which has no declarations`);
      if (!kept.has(target)) waiting.push(target);
      kept.add(target);
      return `${before}"${pathBetween(from, target)}"`;
    });
    const place = join(DIST, placeOf(from));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return kept.size;
}

for (const folder of [EMITTED, DIST]) rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync("npx", ["tsc", "-p", "tsconfig.types.json"], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status === 0) process.stdout.write(`built ${DIST}: ${keepReachable()} files\n`);
else process.exitCode = 1;
