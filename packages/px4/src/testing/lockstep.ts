/** Flights with the PX4 library as a bundle runs them, with the parts of the core that its tests need beside them. */
export { coreRegistry, mustResolve, replayFlight, resolveFlight, SimError } from "@escapement/core";
export { px4Kinds } from "../kinds.ts";
export { flyLockstep } from "../lockstep/child.ts";
