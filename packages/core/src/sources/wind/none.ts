/** Still air. */
import { defineKind, defineParams } from "../../params/index.ts";
import type { WindModel } from "./wind-model.ts";

class StillAir implements WindModel {
  sampleInto(windNed: Float64Array): void {
    windNed.fill(0);
  }

  save(): void {}

  load(): void {}
}

export const none = defineKind({
  name: "none",
  about: "Still air.",
  version: 1,
  params: defineParams({}),
  make: (): WindModel => new StillAir(),
});
