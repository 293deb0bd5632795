/**
 * A custom controller as an autopilot: an object with one method.
 *
 *   const hover = {
 *     memory: new Float64Array(1),
 *     update(clock, bus) {
 *       const error = bus.estPosNed[2] + 5;                 // 5 m up; NED: z points down
 *       this.memory[0] += error * 0.004;
 *       const duty = 0.5 + 0.1 * error + 0.02 * this.memory[0] + 0.15 * bus.estVelNed[2];
 *       bus.motorCommand.fill(Math.min(Math.max(duty, 0), 1), 0, 4);
 *     },
 *   };
 *   controllerSource(hover, { periodUs: 4000 });
 *
 * Like any autopilot, it can read the estimate, the battery and the pilot's requests, but not the true state. Keep
 * state that lasts from tick to tick in `memory` (or write and read it in `save` and `load`): a checkpoint saves no
 * other state.
 */
import type { Source, View } from "../engine/contracts.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { periodicAxis, type Clock } from "../time/index.ts";

/** An autopilot's view of the bus: its own signals are writable, the others read-only. */
type AutopilotView = View<"autopilot">;

/** A custom controller: reads the estimate and writes motor commands. */
export interface Controller {
  update(clock: Clock, bus: AutopilotView): void;
  /** Numbers that a checkpoint saves: the whole state, if it consists of numbers. */
  readonly memory?: Float64Array;
  /** Save and load the state that is not in `memory`. */
  save?(writer: SnapshotWriter): void;
  load?(reader: SnapshotReader): void;
}

/** Makes an autopilot from a controller: an object with one method, `update(clock, bus)`. */
export function controllerSource(
  controller: Controller,
  tick: { readonly periodUs: number; readonly startUs?: number },
): Source<"autopilot"> {
  return {
    writer: "autopilot",
    axis: periodicAxis(tick),
    update: (clock, bus) => controller.update(clock, bus),
    save(writer) {
      if (controller.memory !== undefined) writer.numbers(controller.memory);
      controller.save?.(writer);
    },
    load(reader) {
      if (controller.memory !== undefined) reader.numbersInto(controller.memory);
      controller.load?.(reader);
    },
  };
}
