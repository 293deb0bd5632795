/**
 * The plant's bench: a step of RK4 and an interval of RK45 on iris-reference, in TypeScript without code generation,
 * against the same model in C++ (native where a compiler is present, and as WebAssembly, which is shipped).
 *
 * All variants run in one process in slices of 1 to 3 ms in random order, each slice the same two seconds of flight, and
 * minima are compared; the final states must be equal bit for bit. The TypeScript is bundled first, as it is shipped: a
 * loader that turns the index constants into variables makes it half again as slow. Run: `npx tsx bench/plant.ts`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { integrator, rig, type Rig } from "../tests/support/plant.ts";

const NATIVE = process.env["BENCH_NATIVE"] ?? fileURLToPath(new URL("./native/", import.meta.url));
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 200);
const RK4_STEP_US = 1000;
const RK45_INTERVAL_US = 4000;

/** A variant advances its own state by `count` units from the start of the flight and can be asked for it. */
interface Variant {
  readonly name: string;
  readonly run: (count: number) => void;
  readonly state: () => Float64Array;
}

/** The flight of the bench: off hover, turning, with wind, so that nothing is trivially zero. */
function start(name: string): Rig {
  return rig(name, { initial: { onGround: false, hovering: true, posNedM: [0, 0, -30], velNedMps: [1, -0.5, 0.2] } })
    .set({ rateBody: [0.2, -0.1, 0.3] })
    .input({ windNed: [3, 1, -0.5] });
}

function typescript(vehicle: string, method: "rk4" | "rk45"): Variant {
  const flown = start(vehicle);
  const advance = integrator(method, flown.plant, flown.u);
  const us = method === "rk4" ? RK4_STEP_US : RK45_INTERVAL_US;
  const span = new Float64Array(2);
  const x0 = flown.x.slice();
  return {
    name: `TypeScript ${vehicle}`,
    run: (count) => {
      flown.x.set(x0);
      advance.restart();
      span[1] = 0;
      for (let k = 0; k < count; k += 1) {
        span[0] = span[1]!;
        span[1] = span[0]! + us;
        advance.advance(span, flown.x);
      }
    },
    state: () => flown.x,
  };
}

/** Tolerances as the C++ wants them: one a component, the attitude's at its first. */
function tolerances(flown: Rig): { absolute: Float64Array; relative: Float64Array } {
  const absolute = new Float64Array(flown.x.length);
  const relative = new Float64Array(flown.x.length);
  for (const { offset, size, tolerance } of flown.plant.layout.blocks) {
    absolute.fill(tolerance.absolute, offset, offset + size);
    relative.fill(tolerance.relative, offset, offset + size);
  }
  return { absolute, relative };
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly plant_room: () => number;
  readonly plant_load: (p: number, pn: number, n: number, nn: number, size: number) => void;
  readonly plant_tolerances: (absolute: number, relative: number) => void;
  readonly plant_rk4: (x: number, u: number, steps: number, us: number) => void;
  readonly plant_rk45: (x: number, u: number, intervals: number, us: number, fresh: number) => number;
}

function wasm(method: "rk4" | "rk45"): Variant {
  const module = new WebAssembly.Module(readFileSync(join(NATIVE, "plant.wasm")));
  const code = new WebAssembly.Instance(module).exports as unknown as Exports;
  const flown = start("iris-reference");
  const { p, n } = flown.plant.packed;
  const { absolute, relative } = tolerances(flown);
  const room = code.plant_room();
  let next = room;
  const put = (values: Float64Array): number => {
    const at = next;
    new Float64Array(code.memory.buffer, at, values.length).set(values);
    next += values.byteLength;
    return at;
  };
  const numbers = new Int32Array(code.memory.buffer, room, n.length);
  numbers.set(n);
  next += Math.ceil(n.byteLength / 8) * 8;
  const parametersAt = put(p);
  code.plant_load(parametersAt, p.length, room, n.length, flown.x.length);
  code.plant_tolerances(put(absolute), put(relative));
  const x = put(flown.x);
  const u = put(flown.u);
  const state = new Float64Array(code.memory.buffer, x, flown.x.length);
  return {
    name: "C++ as WebAssembly",
    run: (count) => {
      state.set(flown.x);
      if (method === "rk4") code.plant_rk4(x, u, count, RK4_STEP_US);
      else code.plant_rk45(x, u, count, RK45_INTERVAL_US, 1);
    },
    state: () => state,
  };
}

/** Native C++, each variant in a library of its own, because its state is global. Nothing without a compiler. */
async function native(method: "rk4" | "rk45", folder: string): Promise<Variant | undefined> {
  const library = join(folder, `${method}.so`);
  try {
    const flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC"];
    execFileSync("g++", [...flags, "-o", library, join(NATIVE, "plant.cpp")], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const { default: koffi } = await import("koffi");
  const lib = koffi.load(library);
  const load = lib.func("void plant_load(double *p, int pn, int32_t *n, int nn, int size)");
  const setTolerances = lib.func("void plant_tolerances(double *a, double *r)");
  const rk4 = lib.func("void plant_rk4(_Inout_ double *x, double *u, int steps, double us)");
  const rk45 = lib.func("int plant_rk45(_Inout_ double *x, double *u, int intervals, double us, int fresh)");
  const flown = start("iris-reference");
  const { p, n } = flown.plant.packed;
  const { absolute, relative } = tolerances(flown);
  load(p, p.length, n, n.length, flown.x.length);
  setTolerances(absolute, relative);
  const x0 = flown.x.slice();
  return {
    name: "C++ -O2",
    run: (count) => {
      flown.x.set(x0);
      if (method === "rk4") rk4(flown.x, flown.u, count, RK4_STEP_US);
      else rk45(flown.x, flown.u, count, RK45_INTERVAL_US, 1);
    },
    state: () => flown.x,
  };
}

/** Least time of one unit, ns, of each variant over slices in random order. */
function measure(variants: readonly Variant[], count: number): number[] {
  const best = variants.map(() => Infinity);
  for (const variant of variants) for (let k = 0; k < 20; k += 1) variant.run(count);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = variants.map((_, i) => i).sort(() => Math.random() - 0.5);
    for (const i of order) {
      const begin = process.hrtime.bigint();
      variants[i]!.run(count);
      best[i] = Math.min(best[i]!, Number(process.hrtime.bigint() - begin) / count);
    }
  }
  return best;
}

function equal(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => Object.is(value, b[i]));
}

/** Bundles this file as the packages are bundled, and runs it in a fresh process. */
async function bundled(): Promise<void> {
  const { rolldown } = await import("rolldown");
  const folder = mkdtempSync(join(process.cwd(), "node_modules/.bench-"));
  const file = join(folder, "plant.mjs");
  const bundle = await rolldown({
    input: fileURLToPath(import.meta.url),
    platform: "node",
    external: ["koffi", "rolldown"],
  });
  await bundle.write({ file, format: "esm" });
  try {
    execFileSync(process.execPath, [file], { stdio: "inherit", env: { ...process.env, BENCH_NATIVE: NATIVE } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  if (process.env["BENCH_NATIVE"] === undefined) return bundled();
  const folder = mkdtempSync(join(tmpdir(), "plant-bench-"));
  for (const [method, unit, bar] of [
    ["rk4", "RK4 step of 1 ms", 1.5],
    ["rk45", "RK45 interval of 4 ms", 1.8],
  ] as const) {
    const cpp =
      existsSync("/usr/bin/g++") || process.env["CXX"] !== undefined ? await native(method, folder) : undefined;
    const same = [typescript("iris-reference", method), wasm(method), ...(cpp === undefined ? [] : [cpp])];
    const variants = [...same, typescript("iris", method)];
    const times = measure(variants, method === "rk4" ? 2000 : 500);
    const base = times[cpp === undefined ? 1 : 2]!;
    const agree = same.every((variant) => equal(variant.state(), same[0]!.state()));
    console.log(
      `${unit} (bar ${bar} × ${cpp === undefined ? "WebAssembly" : "C++"}), final states ${agree ? "equal bit for bit" : "DIFFER"}`,
    );
    variants.forEach(({ name }, i) => {
      console.log(`  ${name.padEnd(28)} ${times[i]!.toFixed(0).padStart(7)} ns   ${(times[i]! / base).toFixed(2)} ×`);
    });
  }
  rmSync(folder, { recursive: true });
}

await main();
