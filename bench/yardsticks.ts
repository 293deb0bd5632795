/**
 * Loads the yardsticks of this process: always the kernel, and native ones if the parent could compile them.
 *
 * The parent passes the paths of the sources and the libraries in two environment variables, because a bundle cannot
 * derive them from its own location.
 */
import { join } from "node:path";
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";
import { kernel } from "./kernel.ts";
import { type Libraries, native, type NativeName } from "./native.ts";
import type { Yardstick } from "./yardstick.ts";

export const NATIVE_VARIABLE = "BENCH_NATIVE";
export const LIBRARIES_VARIABLE = "BENCH_LIBRARIES";

export function yardsticks(plant: Multirotor): Yardstick[] {
  const folder = process.env[NATIVE_VARIABLE] ?? join(process.cwd(), "bench/native");
  const libraries = JSON.parse(process.env[LIBRARIES_VARIABLE] ?? "{}") as Libraries;
  const compiled = Object.entries(libraries).map(([name, file]) => native(plant, name as NativeName, file));
  return [kernel(plant, folder), ...compiled];
}
