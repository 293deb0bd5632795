/** Measures any group of the suite in a fresh process. It is bundled before it runs, like the shipped code. */
import "@escapement/core/kernels";
import { measureGroup } from "./measure-group.ts";
import { groups } from "./rows/index.ts";

await measureGroup(groups);
