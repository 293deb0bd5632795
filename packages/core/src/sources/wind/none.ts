/** Still air. */
import { defineKind, defineParams } from "../../params/index.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { WindModel } from "./wind-model.ts";

export const none = defineKind({
  name: "none",
  about: "Still air.",
  version: 1,
  params: defineParams({}),
  make: (): WindModel => ({ sampleInto: (windNed) => void windNed.fill(0), ...withMemory() }),
});
