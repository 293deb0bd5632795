/**
 * The wind source: asks a wind model at every tick of its axis and writes the base wind (law 5).
 *
 * It reads the true position and velocity, which decide height and airspeed; gusts of the scenario are added by the wind
 * sum, not here.
 */
import type { Source, View } from "../../engine/contracts.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Axis, Clock } from "../../time/index.ts";
import type { WindModel, WindSight } from "./wind-model.ts";

class WindSource implements Source<"wind"> {
  readonly writer = "wind";
  readonly axis: Axis;
  private readonly model: WindModel;
  private readonly still = new Float64Array(3);
  private bus: View<"wind"> | undefined;
  private sight: WindSight | undefined;

  constructor(model: WindModel, axis: Axis) {
    this.model = model;
    this.axis = axis;
  }

  readonly update = (clock: Clock, bus: View<"wind">): void => {
    if (this.bus !== bus || this.sight?.clock !== clock) this.look(clock, bus);
    this.model.sampleInto(bus.windBaseNed, this.sight!);
  };

  save(writer: SnapshotWriter): void {
    this.model.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.model.load(reader);
  }

  /** Once a flight: the clock and the windows on the truth stay the same objects from then on. */
  private look(clock: Clock, bus: View<"wind">): void {
    this.bus = bus;
    this.sight = {
      clock,
      posNed: bus.truth.block("posNed", "wind"),
      velNed: bus.truth.block("velNed", "wind"),
      meanNed: this.still,
    };
  }
}

export function makeWindSource(model: WindModel, axis: Axis): Source<"wind"> {
  return new WindSource(model, axis);
}
