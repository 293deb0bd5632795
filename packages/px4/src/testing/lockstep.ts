/** Entry point of the test bundle: flights with the PX4 library, and the parts of the core that its tests need. */
export { coreRegistry, mustResolve, replayFlight, resolveFlight, SimError } from "@escapement/core";
export { px4Kinds } from "../kinds.ts";
export { flyLockstep, replayLockstep } from "../lockstep/child.ts";
