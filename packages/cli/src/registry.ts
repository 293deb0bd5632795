/** What the command can fly: the core's kinds. */
import { coreRegistry } from "@escapement/core";

export const registry = coreRegistry;
