/**
 * Your own controller as an autopilot: an object with one method.
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
 * It sees the estimate, the battery and the pilot's requests; truth is hidden from it, as from any autopilot. What it
 * remembers between ticks belongs into `memory` (or is written and read by `save` and `load`), or a checkpoint would lose it.
 */
import type { Source, View } from "../engine/contracts.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { periodicAxis, type Clock } from "../time/index.ts";

/** The bus as an autopilot sees it: own signals to fill, others to read. */
export type AutopilotView = View<"autopilot">;

export interface Controller {
  update(clock: Clock, bus: AutopilotView): void;
  /** Everything it remembers, if that fits into numbers. */
  readonly memory?: Float64Array;
  /** For memory that does not. */
  save?(writer: SnapshotWriter): void;
  load?(reader: SnapshotReader): void;
}

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
