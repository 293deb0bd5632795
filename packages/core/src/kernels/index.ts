/**
 * Adds code compiled at build time for vehicles other than the default one.
 *
 * The build replaces this module (`tools/compile/ready.ts`). Without a build it adds nothing. The built module is long,
 * so the command line loads it only for flights that need it.
 */
import { readyKernels } from "../run/ready-kernels.ts";

readyKernels.push();
