/**
 * Ready-made code for the structures of the built-in vehicles, for use when code cannot or need not be generated.
 *
 * The build fills this list (`tools/compile/ready.ts`). In the sources it is empty, and assembly generates code.
 */
import type { KernelCode } from "../compile/index.ts";

export const readyKernels: readonly KernelCode[] = [];
