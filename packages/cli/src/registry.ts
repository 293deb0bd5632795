/** The built-in kinds of the command: those of the core, and PX4. */
import { coreRegistry } from "@escapement/core";
import { px4Kinds } from "@escapement/px4/kinds";

export const registry = coreRegistry.with(px4Kinds);
