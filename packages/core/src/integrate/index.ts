/**
 * Integrators: the registered methods, and the contract by which the engine drives them.
 */
import { euler } from "./euler.ts";
import type { IntegratorKind } from "./kind.ts";
import { rk23 } from "./rk23.ts";
import { rk4 } from "./rk4.ts";
import { rk45 } from "./rk45.ts";

export { adaptiveKind } from "./adaptive.ts";
export type * from "./contracts.ts";
export { integrateErrors } from "./errors.ts";
export { fixedStepKind } from "./fixed-step.ts";
export type { IntegratorKind, Stepping } from "./kind.ts";
export type { Tableau } from "./tableau.ts";

export const integratorKinds = [euler, rk4, rk23, rk45] as const satisfies readonly IntegratorKind[];
