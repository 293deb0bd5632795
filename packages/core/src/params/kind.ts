/**
 * A kind: one selectable model (a wind, an integrator, a battery …) with its name, version and parameter table.
 *
 * The registry is made of kinds; a resolved flight holds only `{ kind, version, …numbers }`, and `make` turns that
 * into the running part. `Context` is what parts of that family may ask of their surroundings at assembly.
 */
import type { ParamsOf, ParamTable } from "./table.ts";

/** A selectable model with its name, version and parameter table. */
export interface Kind<Part, Context = void, T extends ParamTable = ParamTable> {
  readonly name: string;
  /** One sentence for `list` and the docs. */
  readonly about: string;
  /** Raised whenever the same parameters would give other bits. */
  readonly version: number;
  readonly params: T;
  readonly make: (params: ParamsOf<T>, context: Context) => Part;
}

/** A kind that keeps its name and table as types, from which descriptions are checked by the compiler. */
export type NamedKind<Part, Context, Name extends string, T extends ParamTable> = Omit<
  Kind<Part, Context>,
  "name" | "params"
> & { readonly name: Name; readonly params: T };

/** Checks `make` against the table's own types, then widens them so that kinds of one family share an array. */
export function defineKind<Part, Context, const Name extends string, const T extends ParamTable>(
  kind: Kind<Part, Context, T> & { readonly name: Name },
): NamedKind<Part, Context, Name, T> {
  return kind as unknown as NamedKind<Part, Context, Name, T>;
}
