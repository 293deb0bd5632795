/**
 * Code compiled at build time for the structures of the built-in vehicles, so that their flights generate no code.
 *
 * The build puts the code of the default vehicle into this list (`tools/compile/ready.ts`). Importing
 * `kernels/index.ts` adds the code of the other vehicles. Without a build the list stays empty, and assembly generates
 * the code.
 */
import type { KernelCode } from "../compile/index.ts";

export const readyKernels: KernelCode[] = [];
