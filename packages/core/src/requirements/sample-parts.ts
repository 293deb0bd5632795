/** Everything that is evaluated at a sample, as generated code needs it. */

/** The parts of a sample. The functions are those of the readers and then of the steps that are calls. */
export interface SampleParts {
  readonly cells: Float64Array;
  readonly margins: Float64Array;
  readonly values: Float64Array;
  readonly time: Float64Array;
  readonly previousUs: Float64Array;
  readonly beforeUs: Float64Array;
  readonly fired: Uint8Array;
  readonly plainNumbers: Float64Array;
  readonly arrays: readonly Float64Array[];
  readonly copies: readonly {
    readonly cell: number;
    readonly array: number;
    readonly offset: number;
    readonly sign: number;
  }[];
  readonly readers: readonly number[];
  readonly steps: readonly (
    | "call"
    | { readonly number: number; readonly index: number; readonly cell: number; readonly code: number }
  )[];
  readonly functions: readonly ((out: Float64Array, at: number) => void)[];
}
