/** The kinds of atmosphere that a flight may name; each is a layered model with its own range. */
import { isaReference } from "./isa-reference.ts";
import { makeUs76, us76 } from "./us76.ts";

export { isaReference, makeUs76, us76 };

export const atmosphereKinds = [us76, isaReference] as const;
