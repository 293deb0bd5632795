/**
 * One discrete gust at a fixed time, sampled at the wind ticks. (A gust of the scenario may start between ticks.)
 *
 * Over the half-open span [start, start + length), compared in whole microseconds, with τ the elapsed fraction of it:
 *   step:             A
 *   one-minus-cosine: A/2·(1 − cos 2πτ), back to zero at the end        (the design gust of CS-25.341, in time)
 *   rise:             A/2·(1 − cos πτ), and A from then on               (MIL-F-8785C 1980, section 3.7.3.3, in time)
 */
import { cos } from "../../math/index.ts";
import { defineKind, defineParams } from "../../params/index.ts";
import { ANY, choice, duration, durationOrZero, vector } from "../../params/rows.ts";
import { withMemory } from "../../snapshot/index.ts";
import { secondsToUs } from "../../time/index.ts";
import type { WindModel } from "./wind-model.ts";

const PI = 3.141592653589793;

const params = defineParams({
  shape: choice(["step", "one-minus-cosine", "rise"], "Shape of the gust over its length.", "step"),
  amplitudeNedMps: vector(3, "m/s", ANY, "Velocity that the gust adds at its peak.", [5, 0, 0]),
  startS: durationOrZero("When it begins.", 1),
  lengthS: duration("Duration of the gust; for a rise, the time over which it rises.", 1),
});

export const gust = defineKind({
  name: "gust",
  about: "One discrete gust: a step, a one-minus-cosine pulse, or a rise that stays.",
  version: 1,
  params,
  make: ({ shape, amplitudeNedMps, startS, lengthS }): WindModel => {
    const startUs = secondsToUs(startS, "gust start");
    const lengthUs = secondsToUs(lengthS, "gust length");
    return {
      sampleInto(windNed, { clock }) {
        const elapsedUs = clock.us - startUs;
        const isOver = elapsedUs >= lengthUs;
        let part = 0;
        if (elapsedUs >= 0 && !isOver) {
          const tau = elapsedUs / lengthUs;
          if (shape === "step") part = 1;
          else part = 0.5 * (1 - cos((shape === "rise" ? PI : 2 * PI) * tau));
        } else if (isOver && shape === "rise") {
          part = 1;
        }
        for (let i = 0; i < 3; i += 1) windNed[i] = part * amplitudeNedMps[i]!;
      },
      ...withMemory(),
    };
  },
});
