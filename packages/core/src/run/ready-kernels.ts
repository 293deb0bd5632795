/**
 * Code compiled at build time for the structures of the built-in vehicles, so that their flights generate no code.
 *
 * The build fills this list (`tools/compile/ready.ts`). In the sources it is empty, and assembly generates code.
 */
import type { KernelCode } from "../compile/index.ts";

export const readyKernels: readonly KernelCode[] = [];
