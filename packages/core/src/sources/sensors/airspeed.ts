/**
 * Airspeed sensor: a pitot tube along body x.
 *
 * Total minus static pressure is ½ρu² for flow from ahead; flow from behind gives suction of the same size, as in a
 * tube that is open at both ends. Bias, slow drift and noise are added (Beard & McLain 2012, ch. 7).
 */
import type { Source, View } from "../../engine/contracts.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import type { ParamsOf } from "../../params/table.ts";
import { GaussMarkov, RandomStream } from "../../random/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Axis } from "../../time/axis.ts";
import type { Clock } from "../../time/clock.ts";
import { sensorAxis } from "./context.ts";
import type { SensorContext } from "./context.ts";
import { FaultChannel } from "./fault-channel.ts";
import { digitise } from "./noise.ts";

// prettier-ignore
const params = defineParams({
  periodS: { type: "duration", unit: "s", default: 0.02, about: "Time between two samples." },
  noisePa: { type: "number", unit: "Pa", min: 0, default: 2, about: "Deviation of the noise of a sample." },
  biasPa: { type: "number", unit: "Pa", default: 0, about: "Constant error." },
  wanderPa: { type: "number", unit: "Pa", min: 0, default: 1, about: "Deviation of the slowly varying error." },
  wanderTauS: { type: "number", unit: "s", min: 0, open: true, default: 600, about: "Correlation time of that error." },
  rangePa: { type: "number", unit: "Pa", min: 0, open: true, default: 6900, about: "Largest pressure the sensor can report." },
  lsbPa: { type: "number", unit: "Pa", min: 0, default: 0.84, about: "Smallest step of the sensor; 0 for none." },
});
type AirspeedParams = ParamsOf<typeof params>;

class Airspeed implements Source<"airspeed"> {
  readonly writer = "airspeed";
  readonly axis: Axis;
  private readonly params: AirspeedParams;
  private readonly noise: RandomStream;
  private readonly wander: GaussMarkov;
  private readonly fault: FaultChannel;
  private readonly reported = new Float64Array(1);

  constructor(p: AirspeedParams, context: SensorContext) {
    const { seed } = context;
    this.params = p;
    this.axis = sensorAxis(context, "airspeed", p.periodS);
    this.noise = new RandomStream(seed, "sensor.airspeed.noise");
    this.wander = new GaussMarkov({
      sigma: [p.wanderPa],
      tauS: p.wanderTauS,
      periodS: p.periodS,
      random: new RandomStream(seed, "sensor.airspeed.wander"),
    });
    this.fault = new FaultChannel({ sensor: "airspeed", size: 1, seed });
  }

  readonly update = (clock: Clock, bus: View<"airspeed">): void => {
    const { params: p, reported } = this;
    // Flow from ahead has a velocity past the vehicle that points backwards.
    const u = -bus.airVelBody[0]!;
    this.wander.step();
    const pressurePa = 0.5 * bus.airDensity[0]! * u * Math.abs(u);
    reported[0] = pressurePa + p.biasPa + this.wander.value[0]! + p.noisePa * this.noise.gaussian();
    const lives = this.fault.apply(reported, clock, bus);
    digitise(reported, p.rangePa, p.lsbPa);
    if (!lives) return;
    bus.pitotPressure[0] = reported[0]!;
    bus.pitotCount[0] = bus.pitotCount[0]! + 1;
  };

  save(writer: SnapshotWriter): void {
    for (const part of [this.noise, this.wander, this.fault]) part.save(writer);
  }

  load(reader: SnapshotReader): void {
    for (const part of [this.noise, this.wander, this.fault]) part.load(reader);
  }
}

export const airspeed = defineKind({
  name: "airspeed",
  about: "Pitot tube along body x with bias, drift and noise.",
  version: 1,
  params,
  make: (values, context: SensorContext): Source<"airspeed"> => new Airspeed(values, context),
});
