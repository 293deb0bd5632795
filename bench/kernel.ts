/**
 * Loads the calibration kernel, the C++ of native/ as WebAssembly. It is committed, so that times can also be divided
 * by the kernel's times on a machine without a compiler.
 *
 * Arrays are copied into the kernel's memory before each slice of work, and back after the slice.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputLayout } from "../packages/core/src/engine/index.ts";
import { EXP_TABLE } from "../packages/core/src/math/exp.ts";
import { LOG_TABLE } from "../packages/core/src/math/log.ts";
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";
import { writeMemoryHeader } from "./memory-header.ts";
import { vehicle } from "./scene.ts";
import {
  DIGESTS,
  digestTexts,
  type EngineSetup,
  motorOffset,
  tolerances,
  type Yardstick,
  type YardstickEngine,
} from "./yardstick.ts";

const LINE = 64;
const MEMORY_BYTES = 1 << 24;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __heap_base: WebAssembly.Global;
  readonly plant_load: (p: number, pn: number, n: number, nn: number, size: number) => void;
  readonly plant_tolerances: (absolute: number, relative: number) => void;
  readonly portable_tables: (forExp: number, forLog: number) => void;
  readonly plant_derivatives: (dx: number, x: number, u: number, times: number) => void;
  readonly plant_rk4: (x: number, u: number, steps: number, us: number) => void;
  readonly plant_rk45: (x: number, u: number, intervals: number, us: number, fresh: number) => number;
  readonly engine_state_in: (
    x: number,
    u: number,
    uSize: number,
    commandMotor: number,
    bus: number,
    busSize: number,
    busOffsets: number,
  ) => void;
  readonly engine_begin: (
    endUs: number,
    wind: number,
    commands: number,
    gaussians: number,
    rows: number,
    maxRows: number,
  ) => void;
  readonly engine_run: (count: number) => number;
  readonly engine_state_out: (x: number) => void;
  readonly engine_digests_out: (words: number) => void;
}

/**
 * Allocates arrays in the module's memory, after its own data. The memory is large enough from the start and never
 * grows, because growing detaches a buffer, and from then on V8 checks at every access to any typed array whether it is
 * detached, which makes our own code 50 % slower.
 */
class Memory {
  private readonly memory: WebAssembly.Memory;
  private next: number;

  constructor({ memory, __heap_base: base }: Exports) {
    this.memory = memory;
    this.next = LINE * Math.ceil((base.value as number) / LINE);
  }

  reserve(length: number): number {
    const at = this.next;
    this.next += LINE * Math.ceil((8 * length) / LINE);
    if (this.next > this.memory.buffer.byteLength) throw new Error("the kernel's memory is too small for this flight");
    return at;
  }

  put(at: number, values: Float64Array | Int32Array): number {
    const view = values instanceof Int32Array ? Int32Array : Float64Array;
    new view(this.memory.buffer, at, values.length).set(values);
    return at;
  }

  store(values: Float64Array | Int32Array): number {
    return this.put(this.reserve(values.length), values);
  }

  at(at: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, length);
  }
}

export function kernel(plant: Multirotor, folder: string): Yardstick {
  const module = new WebAssembly.Module(readFileSync(join(folder, "plant.wasm")));
  const code = new WebAssembly.Instance(module).exports as unknown as Exports;
  const memory = new Memory(code);
  const { p, n } = plant.packed;
  const { size } = plant.layout;
  code.plant_load(memory.store(p), p.length, memory.store(n), n.length, size);
  const { absolute, relative } = tolerances(plant);
  code.plant_tolerances(memory.store(absolute), memory.store(relative));
  code.portable_tables(memory.store(EXP_TABLE), memory.store(LOG_TABLE));
  const [dxAt, xAt, uAt] = [memory.reserve(size), memory.reserve(size), memory.reserve(inputLayout(plant.dims).size)];
  const around = (x: Float64Array, u: Float64Array, work: () => void) => {
    memory.put(xAt, x);
    memory.put(uAt, u);
    work();
    x.set(memory.at(xAt, size));
  };
  return {
    name: "kernel",
    derivatives: (dx, x, u, times) => {
      around(x, u, () => code.plant_derivatives(dxAt, xAt, uAt, times));
      dx.set(memory.at(dxAt, size));
    },
    rk4: (x, u, steps, us) => around(x, u, () => code.plant_rk4(xAt, uAt, steps, us)),
    rk45: (x, u, intervals, us) => around(x, u, () => void code.plant_rk45(xAt, uAt, intervals, us, 1)),
    engine: engineOf(code, memory, plant),
  };
}

function engineOf(code: Exports, memory: Memory, plant: Multirotor): YardstickEngine {
  const { size } = plant.layout;
  let addresses: { bus: number; wind: number; gaussians: number; commands: number; rows: number; x: number; u: number };
  let rowCells = 0;
  const reserve = ({ bus, wind, gaussians, commands, maxRows, u }: EngineSetup) => {
    rowCells = maxRows * (size + bus.length);
    return {
      bus: memory.reserve(bus.length),
      wind: memory.reserve(wind.length),
      gaussians: memory.store(gaussians),
      commands: memory.store(commands),
      rows: memory.reserve(rowCells),
      x: memory.reserve(size),
      u: memory.reserve(u.length),
    };
  };
  return {
    begin: (setup) => {
      addresses ??= reserve(setup);
      const { bus, x, u, wind } = setup;
      const busOffsetsAt = memory.put(addresses.wind, setup.busOffsets);
      const [xAt, uAt, busAt] = [
        memory.put(addresses.x, x),
        memory.put(addresses.u, u),
        memory.put(addresses.bus, bus),
      ];
      code.engine_state_in(xAt, uAt, u.length, motorOffset(plant), busAt, bus.length, busOffsetsAt);
      memory.put(addresses.wind, wind);
      const { gaussians, commands, rows } = addresses;
      code.engine_begin(setup.endUs, addresses.wind, commands, gaussians, rows, setup.maxRows);
    },
    run: (boundaries) => code.engine_run(boundaries),
    state: () => {
      code.engine_state_out(addresses.x);
      return memory.at(addresses.x, size).slice();
    },
    rows: () => memory.at(addresses.rows, rowCells).slice(),
    digests: () => {
      code.engine_digests_out(addresses.x);
      return digestTexts(new Int32Array(code.memory.buffer, addresses.x, 2 * DIGESTS.length).slice());
    },
  };
}

/** Builds native/plant.wasm. This needs clang with its WebAssembly target. */
export function makeKernel(folder: string): void {
  const headers = mkdtempSync(join(tmpdir(), "escapement-kernel-"));
  writeMemoryHeader(headers, vehicle("iris-reference"));
  const flags = ["--target=wasm32", "-O2", "-ffp-contract=off", "-mbulk-memory", "-fno-math-errno"];
  const bare = ["-nostdlib", "-fno-exceptions", "-fno-rtti", "-Wl,--no-entry,--export-dynamic,--strip-all"];
  const room = [`-Wl,--initial-memory=${MEMORY_BYTES},--export=__heap_base`];
  const files = [`-I${headers}`, "-o", join(folder, "plant.wasm"), join(folder, "engine.cpp")];
  execFileSync("clang++", [...flags, ...bare, ...room, ...files], { stdio: "inherit" });
  rmSync(headers, { recursive: true });
}
