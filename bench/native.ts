/**
 * The same model in C++: as WebAssembly, which is shipped and runs anywhere, and natively where a compiler is present.
 *
 * Each library is a copy of its own, because its state is global. Nothing of it is bundled with Escapement.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputLayout } from "../packages/core/src/engine/index.ts";
import type { Multirotor } from "../packages/core/src/plant/multirotor.ts";

/** What the C++ can do, over arrays of ours. */
export interface Native {
  readonly name: string;
  derivatives(dx: Float64Array, x: Float64Array, u: Float64Array, times: number): void;
  rk4(x: Float64Array, u: Float64Array, steps: number, us: number): void;
  rk45(x: Float64Array, u: Float64Array, intervals: number, us: number, fresh: boolean): void;
  readonly engine?: NativeEngine;
}

export interface EngineSetup {
  readonly x: Float64Array;
  readonly u: Float64Array;
  /** Gust, mean and deviation on three axes, φ and s. */
  readonly wind: Float64Array;
  readonly commands: Float64Array;
  readonly gaussians: Float64Array;
  readonly rowWidth: number;
  readonly rowMost: number;
}

export interface NativeEngine {
  setup(setup: EngineSetup): void;
  run(boundaries: number): number;
  state(): Float64Array;
}

/** The folder of the sources, given by the parent process: bundles have no place of their own. */
const HERE = process.env["BENCH_NATIVE"] ?? join(process.cwd(), "bench/native");

export function tolerances({ layout }: Multirotor): { absolute: Float64Array; relative: Float64Array } {
  const absolute = new Float64Array(layout.size);
  const relative = new Float64Array(layout.size);
  for (const { offset, size, tolerance } of layout.blocks) {
    absolute.fill(tolerance.absolute, offset, offset + size);
    relative.fill(tolerance.relative, offset, offset + size);
  }
  return { absolute, relative };
}

interface WasmExports {
  readonly memory: WebAssembly.Memory;
  readonly plant_room: () => number;
  readonly plant_load: (p: number, pn: number, n: number, nn: number, size: number) => void;
  readonly plant_tolerances: (absolute: number, relative: number) => void;
  readonly plant_rk4: (x: number, u: number, steps: number, us: number) => void;
  readonly plant_rk45: (x: number, u: number, intervals: number, us: number, fresh: number) => number;
}

/** The calibration kernel. */
export function wasm(plant: Multirotor): Native {
  const module = new WebAssembly.Module(readFileSync(join(HERE, "plant.wasm")));
  const code = new WebAssembly.Instance(module).exports as unknown as WasmExports;
  const { p, n } = plant.packed;
  const room = code.plant_room();
  let next = room + Math.ceil(n.byteLength / 8) * 8;
  new Int32Array(code.memory.buffer, room, n.length).set(n);
  const reserve = (length: number) => {
    const at = next;
    next += 8 * length;
    return at;
  };
  const put = (at: number, values: Float64Array) => new Float64Array(code.memory.buffer, at, values.length).set(values);
  const placed = (values: Float64Array) => {
    const at = reserve(values.length);
    put(at, values);
    return at;
  };
  code.plant_load(placed(p), p.length, room, n.length, plant.layout.size);
  const { absolute, relative } = tolerances(plant);
  code.plant_tolerances(placed(absolute), placed(relative));
  const xAt = reserve(plant.layout.size);
  const uAt = reserve(inputLayout(plant.dims).size);
  const around = (x: Float64Array, u: Float64Array, work: () => void) => {
    put(xAt, x);
    put(uAt, u);
    work();
    x.set(new Float64Array(code.memory.buffer, xAt, x.length));
  };
  return {
    name: "C++ as WebAssembly",
    derivatives: () => {
      throw new Error("not exported");
    },
    rk4: (x, u, steps, us) => around(x, u, () => code.plant_rk4(xAt, uAt, steps, us)),
    rk45: (x, u, intervals, us, fresh) =>
      around(x, u, () => void code.plant_rk45(xAt, uAt, intervals, us, fresh ? 1 : 0)),
  };
}

export const COMPILER = process.env["CXX"] ?? "g++";
export const FLAVOURS = [
  { name: "C++ -O2", flags: ["-O2"] },
  { name: "C++ -O3 -march=native", flags: ["-O3", "-march=native"] },
] as const;

export function compilerText(): string | undefined {
  try {
    return execFileSync(COMPILER, ["--version"], { encoding: "utf8" }).split("\n")[0];
  } catch {
    return undefined;
  }
}

/** Compiles a source into a library of its own; undefined without a compiler. */
export function library(source: string, flags: readonly string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "library.so");
  try {
    execFileSync(COMPILER, [...flags, "-ffp-contract=off", "-shared", "-fPIC", "-o", file, source], { stdio: "pipe" });
    return file;
  } catch {
    return undefined;
  }
}

type Signature = (...args: unknown[]) => unknown;

/** Functions of a library by their C declarations. */
export function functionsOf(file: string, declarations: readonly string[]): Record<string, Signature> {
  const require = createRequire(import.meta.url);
  const koffi = require("koffi") as { load(path: string): { func(declaration: string): Signature } };
  const loaded = koffi.load(file);
  return Object.fromEntries(declarations.map((each) => [/(\w+)\(/.exec(each)![1]!, loaded.func(each)]));
}

/** The model and the engine in native code. */
export function native(plant: Multirotor, { name, flags }: (typeof FLAVOURS)[number]): Native | undefined {
  const file = library(join(HERE, "engine.cpp"), flags);
  if (file === undefined) return undefined;
  const lib = functionsOf(file, [
    "void plant_load(double *p, int pn, int32_t *n, int nn, int size)",
    "void plant_tolerances(double *a, double *r)",
    "void plant_derivatives(_Inout_ double *dx, double *x, double *u, int times)",
    "void plant_rk4(_Inout_ double *x, double *u, int steps, double us)",
    "int plant_rk45(_Inout_ double *x, double *u, int intervals, double us, int fresh)",
    "void engine_setup(double *x, double *u, int uSize, int commandMotor, double *wind, double *commands, double *gaussians, double *rows, int rowWidth, int rowMost)",
    "int engine_run(int count)",
    "void engine_state(_Out_ double *x)",
  ]);
  const { p, n } = plant.packed;
  const { absolute, relative } = tolerances(plant);
  lib["plant_load"]!(p, p.length, n, n.length, plant.layout.size);
  lib["plant_tolerances"]!(absolute, relative);
  return {
    name,
    derivatives: (dx, x, u, times) => void lib["plant_derivatives"]!(dx, x, u, times),
    rk4: (x, u, steps, us) => void lib["plant_rk4"]!(x, u, steps, us),
    rk45: (x, u, intervals, us, fresh) => void lib["plant_rk45"]!(x, u, intervals, us, fresh ? 1 : 0),
    engine: engineOf(lib, plant),
  };
}

function engineOf(lib: Record<string, Signature>, plant: Multirotor): NativeEngine {
  // Held here, for the library keeps pointers to them.
  let held: readonly Float64Array[] = [];
  return {
    setup: ({ x, u, wind, commands, gaussians, rowWidth, rowMost }) => {
      const rows = held[2] ?? new Float64Array(rowWidth * rowMost);
      held = [commands, gaussians, rows];
      const { motorCommand } = inputLayout(plant.dims).offsets;
      lib["engine_setup"]!(x, u, u.length, motorCommand, wind, commands, gaussians, rows, rowWidth, rowMost);
    },
    run: (boundaries) => lib["engine_run"]!(boundaries) as number,
    state: () => {
      const x = new Float64Array(plant.layout.size);
      lib["engine_state"]!(x);
      return x;
    },
  };
}
