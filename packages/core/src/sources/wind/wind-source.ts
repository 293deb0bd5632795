/**
 * The wind source: samples a wind model at every tick of its axis and writes the base wind (law 5).
 *
 * The model reads the true position and velocity, for height and airspeed. The wind sum, not this source, adds the
 * scenario's gusts.
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

  /** Called once per flight: the clock and the views of the truth stay the same objects. */
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

/** Makes a source of a wind model. */
export function makeWindSource(model: WindModel, axis: Axis): Source<"wind"> {
  return new WindSource(model, axis);
}
