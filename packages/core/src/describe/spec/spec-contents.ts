/** Readers of the files that a description names. The caller passes them in, because the core accesses no files. */
import type { SimError } from "../../errors/index.ts";
import type { Mission } from "../../autopilot/mission.ts";
import type { SpecLayer } from "./layers.ts";

/** The value of a file, or all errors in the file. */
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
