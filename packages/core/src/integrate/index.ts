/** Integrators: the registered methods, and the contract between them and the engine. */
import { euler } from "./methods/euler.ts";
import type { IntegratorKind } from "./contract.ts";
import { rk23 } from "./methods/rk23.ts";
import { rk4 } from "./methods/rk4.ts";
import { rk43 } from "./methods/rk43.ts";
import { rk45 } from "./methods/rk45.ts";

export { adaptiveKind } from "./adaptive.ts";
export type * from "./contract.ts";
export { integrateErrors } from "./errors.ts";
export { fixedStepKind } from "./fixed-step.ts";
export { SwitchedIntegrator } from "./switched.ts";
export type { Tableau } from "./tableau.ts";

/** The built-in integrators. */
export const integratorKinds = [euler, rk4, rk23, rk43, rk45] as const satisfies readonly IntegratorKind[];
