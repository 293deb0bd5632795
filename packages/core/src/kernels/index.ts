/**
 * Adds code compiled at build time for vehicles other than the default one.
 *
 * The build writes this module (`tools/compile/ready.ts`). Without a build it adds nothing. Its text is long, so the
 * command loads it only for flights that need it.
 */
import { readyKernels } from "../run/ready-kernels.ts";

readyKernels.push();
