/** Readers of the files that a description names, passed in from the edge: the core touches no file. */
import type { SimError } from "../errors/index.ts";
import type { Mission } from "../autopilot/mission.ts";
import type { SpecLayer } from "./layers.ts";

/** The value of a file, or everything that is wrong with it. */
export interface FileReading<T> {
  readonly value: T | undefined;
  readonly errors: readonly SimError[];
  readonly warnings: readonly SimError[];
}

export interface SpecContents {
  readonly mission?: (name: string, from: SpecLayer) => FileReading<Mission>;
  readonly parameters?: (
    name: string,
    from: SpecLayer,
  ) => FileReading<readonly { readonly name: string; readonly value: number }[]>;
}
