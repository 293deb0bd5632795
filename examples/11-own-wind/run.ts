/** Defines a thermal as a kind of wind and flies the square mission through it. */
import { coreRegistry, defineKind, defineParams, fly, ofKind, type WindContext, type WindModel } from "escapement";
import { exp } from "escapement/math";

const thermal = defineKind({
  name: "thermal",
  about: "A column of rising air, with sinking air around it.",
  version: 1,
  params: defineParams({
    upMps: {
      type: "number",
      unit: "m/s",
      min: 0,
      max: 10,
      default: 3,
      about: "Vertical speed at the centre, positive up.",
    },
    radiusM: {
      type: "number",
      unit: "m",
      min: 1,
      max: 1000,
      default: 8,
      about: "Distance from the centre at which the air stops rising.",
    },
  }),
  make: ({ upMps, radiusM }, _context: WindContext): WindModel => ({
    sampleInto(windNed, { posNed }) {
      const r2 = (posNed[0]! * posNed[0]! + posNed[1]! * posNed[1]!) / (radiusM * radiusM);
      windNed[0] = 0;
      windNed[1] = 0;
      windNed[2] = -upMps * (1 - r2) * exp(-r2);
    },
    save() {},
    load() {},
  }),
});

export const flight = await fly(
  { extends: "mission", wind: ofKind(thermal, { upMps: 4 }) },
  { registry: coreRegistry.with({ winds: [thermal] }) },
);
console.log(`${flight.outcome}: ${flight.reason}; wind up to ${flight.extremes.windMaxMps.toFixed(1)} m/s`);
