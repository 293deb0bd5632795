/**
 * A kind: one selectable model (a wind, an integrator, a battery …) with its name, version and parameter table.
 *
 * The registry is made of kinds; a resolved flight holds only `{ kind, version, …numbers }`, and `make` turns that into
 * the running part. `Context` is the type of the data that the assembly passes to parts of that family.
 */
import type { ParamsOf, ParamTable } from "./table.ts";

/** A selectable model with its name, version and parameter table. */
export interface Kind<Part, Context = void, T extends ParamTable = ParamTable> {
  readonly name: string;
  /** One sentence for `list` and the docs. */
  readonly about: string;
  /** Incremented when the same parameters would give different bits. */
  readonly version: number;
  readonly params: T;
  readonly make: (params: ParamsOf<T>, context: Context) => Part;
}

/** A kind that keeps its name and table as types, so that the compiler can check descriptions. */
export type NamedKind<Part, Context, Name extends string, T extends ParamTable> = Omit<
  Kind<Part, Context>,
  "name" | "params"
> & { readonly name: Name; readonly params: T };

/**
 * Declares a kind. The compiler checks `make` against the types of the parameter table; the result has wider types, so
 * that the kinds of a family fit in one array.
 */
export function defineKind<Part, Context, const Name extends string, const T extends ParamTable>(
  kind: Kind<Part, Context, T> & { readonly name: Name },
): NamedKind<Part, Context, Name, T> {
  return kind as unknown as NamedKind<Part, Context, Name, T>;
}
