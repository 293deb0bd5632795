/**
 * Integrators: the registered methods, and the contract by which the engine drives them.
 */
import type { Kind } from "../params/index.ts";
import type { Integrator, IntegratorContext } from "./contracts.ts";
import { euler } from "./euler.ts";
import { rk23 } from "./rk23.ts";
import { rk4 } from "./rk4.ts";
import { rk45 } from "./rk45.ts";

export type * from "./contracts.ts";
export { integrateErrors } from "./errors.ts";

export const integratorKinds: readonly Kind<Integrator, IntegratorContext>[] = [euler, rk4, rk23, rk45];
