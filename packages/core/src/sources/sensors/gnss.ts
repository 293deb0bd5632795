/**
 * Satellite receiver: position and velocity with correlated error, noise, rate and latency.
 *
 * Position error = Gauss–Markov (Rankin 1994; Beard & McLain 2012) + white noise; velocity error = white noise. The
 * receiver measures a fix every period and delivers it after the latency. Both are whole multiples of the autopilot's
 * period, so the source runs at every autopilot tick and does nothing at most of them.
 *
 * The defaults are those of a u-blox NEO-M8N: 2.5 m CEP without corrections, 0.05 m/s, 10 Hz (data sheet UBX-15031086).
 * The CEP is 1.1774 times the standard deviation of each horizontal component. Latency is PX4's EKF2_GPS_DELAY, 110 ms,
 * rounded up to a multiple of 4 ms.
 */
import type { Readable, Source, View } from "../../engine/contracts.ts";
import { defineKind } from "../../params/kind.ts";
import { defineParams } from "../../params/table.ts";
import type { ParamsOf } from "../../params/table.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { periodicAxis } from "../../time/axis.ts";
import type { Axis } from "../../time/axis.ts";
import type { Clock } from "../../time/clock.ts";
import { wholeTicksUs, type SensorContext } from "./context.ts";
import { FAULTS } from "./fault-channel.ts";
import { instrumentErrors } from "./noise.ts";
import { SENSORS, SIGNALS } from "../../signals/table.ts";
import { above, atLeast, closed, duration, durationOrZero, integer, number, vector } from "../../params/rows.ts";

// prettier-ignore
const params = defineParams({
  periodS: duration("Time between two fixes.", 0.1),
  latencyS: durationOrZero("Time from measurement to delivery.", 0.112),
  wanderNedM: vector(3, "m", atLeast(0), "Standard deviation of the slowly varying position error.", [2.12, 2.12, 3.5]),
  wanderTauS: number("s", above(0), "Correlation time of that error.", 1100),
  noiseNedM: vector(3, "m", atLeast(0), "Standard deviation of the white position noise.", [0.02, 0.02, 0.04]),
  noiseVelNedMps: vector(3, "m/s", atLeast(0), "Standard deviation of the velocity noise.", [0.05, 0.05, 0.08]),
  horizontalAccuracyM: number("m", atLeast(0), "Horizontal accuracy that the receiver reports.", 0.9),
  verticalAccuracyM: number("m", atLeast(0), "Vertical accuracy that the receiver reports.", 1.5),
  satellites: integer("count", closed(0, 64), "Satellites in use.", 12),
});
type GnssParams = ParamsOf<typeof params>;

/** Numbers per fix that is not yet delivered: its delivery time, then position and velocity in the local frame. */
const FIX_SIZE = 7;
const GNSS_INDEX = SENSORS.indexOf("gnss");
const FIX = SIGNALS.gnssFix.values;

class Gnss extends PartWithMemory implements Source<"gnss"> {
  readonly writer = "gnss";
  readonly axis: Axis;
  private readonly params: GnssParams;
  private readonly context: SensorContext;
  private readonly periodUs: number;
  private readonly latencyUs: number;
  private readonly errors: ReturnType<typeof instrumentErrors>;
  protected readonly memory;
  /** Ring of fixes that are not yet delivered; `cursor` is [next to deliver, number of fixes in the ring]. */
  private readonly ring: Float64Array;
  private readonly slots: number;
  private readonly cursor = new Float64Array(2);
  private readonly fix = new Float64Array(3);
  private readonly reportedNed = new Float64Array(3);
  private state: { readonly posNed: Readable; readonly velNed: Readable } | undefined;

  constructor(p: GnssParams, context: SensorContext) {
    super();
    this.params = p;
    this.context = context;
    this.axis = periodicAxis({ periodUs: context.autopilotPeriodUs, startUs: context.startUs });
    this.periodUs = wholeTicksUs(context, "gnss.periodS", p.periodS);
    this.latencyUs = wholeTicksUs(context, "gnss.latencyS", p.latencyS);
    this.slots = Math.floor(this.latencyUs / this.periodUs) + 1;
    this.ring = new Float64Array(this.slots * FIX_SIZE);
    this.errors = instrumentErrors("gnss", p.wanderNedM, p, context);
    this.memory = [this.errors, this.ring, this.cursor];
  }

  readonly update = (clock: Clock, bus: View<"gnss">): void => {
    this.state ??= { posNed: bus.truth.block("posNed", "gnss"), velNed: bus.truth.block("velNed", "gnss") };
    if ((clock.us - this.context.startUs) % this.periodUs === 0) this.measure(clock);
    const first = this.cursor[0]! * FIX_SIZE;
    if (this.cursor[1]! > 0 && this.ring[first] === clock.us) this.deliver(first, clock, bus);
    if (bus.sensorFaultKind[GNSS_INDEX] === FAULTS["drop-out"]) {
      bus.gnssFix[0] = FIX["no fix"];
      bus.gnssSatellites[0] = 0;
    }
  };

  private measure(clock: Clock): void {
    const { params: p, ring } = this;
    const { wander, noise } = this.errors;
    const { posNed, velNed } = this.state!;
    wander.step();
    const at = ((this.cursor[0]! + this.cursor[1]!) % this.slots) * FIX_SIZE;
    ring[at] = clock.us + this.latencyUs;
    for (let i = 0; i < 3; i += 1) {
      ring[at + 1 + i] = posNed[i]! + wander.value[i]! + p.noiseNedM[i]! * noise.gaussian();
      ring[at + 4 + i] = velNed[i]! + p.noiseVelNedMps[i]! * noise.gaussian();
    }
    this.cursor[1]! += 1;
  }

  /** Delivers a fix. Faults of this sensor affect the position. */
  private deliver(at: number, clock: Clock, bus: View<"gnss">): void {
    const { params: p, ring, fix, reportedNed } = this;
    this.cursor[0] = (this.cursor[0]! + 1) % this.slots;
    this.cursor[1]! -= 1;
    for (let i = 0; i < 3; i += 1) reportedNed[i] = ring[at + 1 + i]!;
    if (!this.errors.fault.apply(reportedNed, clock, bus)) return;
    this.context.geodeticInto(fix, reportedNed);
    bus.gnssLatLon[0] = fix[0]!;
    bus.gnssLatLon[1] = fix[1]!;
    bus.gnssAltitude[0] = fix[2]!;
    for (let i = 0; i < 3; i += 1) bus.gnssVelNed[i] = ring[at + 4 + i]!;
    bus.gnssAccuracy[0] = p.horizontalAccuracyM;
    bus.gnssAccuracy[1] = p.verticalAccuracyM;
    bus.gnssFix[0] = FIX["3D fix"];
    bus.gnssSatellites[0] = p.satellites;
    bus.gnssCount[0]! += 1;
  }
}

export const gnss = defineKind({
  name: "gnss",
  about:
    "Satellite receiver with correlated position error, velocity noise, rate and latency; by default a u-blox NEO-M8N.",
  version: 2,
  params,
  make: (values, context: SensorContext): Source<"gnss"> => new Gnss(values, context),
});
