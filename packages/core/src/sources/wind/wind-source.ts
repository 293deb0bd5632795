/**
 * The wind source: samples a wind model at every tick of its axis and writes the base wind, the rotation of the air,
 * and the unsteadiness of the rotors' wakes (L5 in docs/contract.md).
 *
 * The model reads the true position and velocity, for height and airspeed. The engine's stage `windSum`, not this
 * source, adds the scenario's gusts.
 */
import type { Source, View } from "../../engine/contracts.ts";
import { withMemory } from "../../snapshot/index.ts";
import type { Axis } from "../../time/index.ts";
import type { Wake } from "./wake.ts";
import type { WindInput, WindModel } from "./wind-model.ts";

/** Makes a source from a wind model, and from the rotors' wakes if the vehicle models them. */
export function makeWindSource(model: WindModel, axis: Axis, wake?: Wake): Source<"wind"> {
  const meanNed = new Float64Array(3);
  let lastBus: View<"wind"> | undefined;
  let input: WindInput | undefined;
  return {
    writer: "wind",
    axis,
    update(clock, bus) {
      if (lastBus !== bus || input?.clock !== clock) {
        // Make the input once per flight, because the clock and the views of the truth stay the same objects.
        const { truth } = bus;
        input = { clock, posNed: truth.block("posNed", "wind"), velNed: truth.block("velNed", "wind"), meanNed };
        lastBus = bus;
      }
      model.sampleInto(bus.windBaseNed, input);
      bus.gustRateNed.fill(0);
      model.addGustRate?.(bus.gustRateNed);
      wake?.sampleInto(bus.wakeUnsteadiness, input.velNed, bus.windBaseNed);
    },
    ...withMemory(model, wake ?? []),
  };
}
