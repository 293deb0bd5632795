/** A wind that is the same everywhere and at all times. */
import { defineKind, defineParams } from "../../params/index.ts";
import { ANY, vector } from "../../params/rows.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { WindModel } from "./wind-model.ts";

export const constant = defineKind({
  name: "constant",
  about: "The same wind everywhere and always.",
  version: 1,
  params: defineParams({
    windNedMps: vector(3, "m/s", ANY, "Velocity of the air over ground: a north wind of 5 m/s is −5, 0, 0.", [0, 0, 0]),
  }),
  make: ({ windNedMps }): WindModel => ({
    isSteady: true,
    sampleInto: (windNed) => windNed.set(windNedMps),
    ...withMemory(),
  }),
});
