/**
 * Compiles the C++ of native/ into libraries, which native.ts loads in each process that measures.
 *
 * The limits are ratios to the `-O2` build. The `-O3 -march=native` build and the code emitted from the compiled form
 * show whether `-O2` is a weak yardstick. Contraction is off, because fused multiply-add gives different bits.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emittedText } from "./emitted.ts";
import { writeMemoryHeader } from "./memory-header.ts";
import type { Libraries, NativeName } from "./native.ts";
import { vehicle } from "./scene.ts";

export const COMPILER = process.env["CXX"] ?? "g++";
const FLAGS: Readonly<Record<NativeName, readonly string[]>> = {
  cppO2: ["-O2"],
  cppO3: ["-O3", "-march=native"],
  emitted: ["-O2"],
};

export function compilerText(): string | undefined {
  try {
    return execFileSync(COMPILER, ["--version"], { encoding: "utf8" }).split("\n")[0];
  } catch {
    return undefined;
  }
}

/** Compiles the sources in `folder` into libraries in `out`. Returns none if there is no compiler. */
export function compileAll(folder: string, out: string): Libraries {
  if (compilerText() === undefined) return {};
  const header = join(out, "emitted.h");
  const plant = vehicle("iris-reference");
  writeFileSync(header, emittedText(plant));
  writeMemoryHeader(out, plant);
  const compile = (name: NativeName) => {
    const file = join(out, `${name}.so`);
    const defined = name === "emitted" ? [`-DEMITTED="${header}"`] : [];
    const shape = ["-ffp-contract=off", "-shared", "-fPIC", `-I${out}`, ...defined];
    execFileSync(COMPILER, [...FLAGS[name], ...shape, "-o", file, join(folder, "engine.cpp")], { stdio: "pipe" });
    return [name, file];
  };
  return Object.fromEntries((Object.keys(FLAGS) as NativeName[]).map(compile)) as Libraries;
}
