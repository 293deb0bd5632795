/** The kind of an integrator, which says besides how it makes its steps. */
import type { Kind, NamedKind, ParamTable } from "../params/index.ts";
import type { Integrator, IntegratorContext } from "./contracts.ts";

/** One step an interval, or of `substepUs`; or as long as its tolerances allow. */
export type Stepping = "fixed" | "adaptive";

/** Rules on the length of a step go by `stepping`; of one that does not say it they know nothing. */
export type IntegratorKind = Kind<Integrator, IntegratorContext> & { readonly stepping?: Stepping };

/** One of this folder, with its name and table as types. */
export type NamedIntegrator<Name extends string, T extends ParamTable> = NamedKind<
  Integrator,
  IntegratorContext,
  Name,
  T
> & { readonly stepping: Stepping };
