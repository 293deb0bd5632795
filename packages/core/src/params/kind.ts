/**
 * A kind: one selectable model (a wind, an integrator, a battery …) with its name, version and parameter table.
 *
 * The registry is made of kinds; a resolved flight holds only `{ kind, version, …numbers }`, and `make` turns that
 * into the running part. `Context` is what parts of that family may ask of their surroundings at assembly.
 */
import type { ParamsOf, ParamTable } from "./table.ts";

export interface Kind<Part, Context = void, T extends ParamTable = ParamTable> {
  readonly name: string;
  /** One sentence for `list` and the docs. */
  readonly about: string;
  /** Raised whenever the same parameters would give other bits. */
  readonly version: number;
  readonly params: T;
  readonly make: (params: ParamsOf<T>, context: Context) => Part;
}

/** Checks `make` against the table's own types, then forgets them so that kinds of one family share an array. */
export function defineKind<Part, Context, const T extends ParamTable>(
  kind: Kind<Part, Context, T>,
): Kind<Part, Context> {
  return kind as unknown as Kind<Part, Context>;
}
