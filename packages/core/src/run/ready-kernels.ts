/**
 * Code that is ready-made: for the structures of the built-in vehicles, where no code can or need be made.
 *
 * The build puts it here (`tools/compile/ready.ts`). From source there is none, and code is made at assembly.
 */
import type { KernelCode } from "../compile/index.ts";

export const readyKernels: readonly KernelCode[] = [];
