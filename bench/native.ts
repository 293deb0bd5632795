/** Loads the libraries compiled from native/ (compile-native.ts) as yardsticks. */
import { createRequire } from "node:module";
import { EXP_TABLE } from "../packages/core/src/math/exp.ts";
import { LOG_TABLE } from "../packages/core/src/math/log.ts";
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";
import {
  DIGESTS,
  digestTexts,
  type EngineSetup,
  motorOffset,
  tolerances,
  type Yardstick,
  type YardstickEngine,
  type YardstickName,
} from "./yardstick.ts";

export type NativeName = Exclude<YardstickName, "kernel">;
export type Libraries = Partial<Record<NativeName, string>>;

type Signature = (...args: unknown[]) => unknown;

function functionsOf(file: string): Record<string, Signature> {
  const require = createRequire(import.meta.url);
  const koffi = require("koffi") as { load(path: string): { func(declaration: string): Signature } };
  const loaded = koffi.load(file);
  const declarations = [
    "void plant_load(double *p, int pn, int32_t *n, int nn, int size)",
    "void plant_tolerances(double *a, double *r)",
    "void portable_tables(double *forExp, double *forLog)",
    "void plant_derivatives(_Inout_ double *dx, double *x, double *u, int times)",
    "void plant_rk4(_Inout_ double *x, double *u, int steps, double us)",
    "int plant_rk45(_Inout_ double *x, double *u, int intervals, double us, int fresh)",
    "void engine_state_in(double *x, double *u, int uSize, int motor, double *bus, int busSize, int32_t *busOffsets)",
    "void engine_begin(double endUs, double *wind, double *commands, double *gaussians, double *rows, int maxRows)",
    "int engine_run(int count)",
    "void engine_state_out(_Out_ double *x)",
    "void engine_digests_out(_Out_ int32_t *words)",
  ];
  return Object.fromEntries(declarations.map((each) => [/(\w+)\(/.exec(each)![1]!, loaded.func(each)]));
}

export function native(plant: Multirotor, name: NativeName, file: string): Yardstick {
  const lib = functionsOf(file);
  const { p, n } = plant.packed;
  const { absolute, relative } = tolerances(plant);
  lib["plant_load"]!(p, p.length, n, n.length, plant.layout.size);
  lib["plant_tolerances"]!(absolute, relative);
  lib["portable_tables"]!(EXP_TABLE, LOG_TABLE);
  return {
    name,
    derivatives: (dx, x, u, times) => void lib["plant_derivatives"]!(dx, x, u, times),
    rk4: (x, u, steps, us) => void lib["plant_rk4"]!(x, u, steps, us),
    rk45: (x, u, intervals, us) => void lib["plant_rk45"]!(x, u, intervals, us, 1),
    engine: engineOf(lib, plant),
  };
}

function engineOf(lib: Record<string, Signature>, plant: Multirotor): YardstickEngine {
  const { size } = plant.layout;
  // Keep these arrays alive, because the library has pointers to them.
  let held: { setup: EngineSetup; rows: Float64Array } | undefined;
  return {
    begin: (setup) => {
      const rows = held?.rows ?? new Float64Array(setup.maxRows * (size + setup.bus.length));
      held = { setup, rows };
      const { x, u, bus, busOffsets, endUs, wind, commands, gaussians, maxRows } = setup;
      lib["engine_state_in"]!(x, u, u.length, motorOffset(plant), bus, bus.length, busOffsets);
      lib["engine_begin"]!(endUs, wind, commands, gaussians, rows, maxRows);
    },
    run: (boundaries) => lib["engine_run"]!(boundaries) as number,
    state: () => {
      const x = new Float64Array(size);
      lib["engine_state_out"]!(x);
      return x;
    },
    rows: () => held!.rows.slice(),
    digests: () => {
      const words = new Int32Array(2 * DIGESTS.length);
      lib["engine_digests_out"]!(words);
      return digestTexts(words);
    },
  };
}
