/**
 * Determines which parts of an estimate are valid from the sensors that deliver data, by the rules of PX4.
 *
 * A sensor delivers no data during a drop-out. Attitude becomes invalid one second after the gyroscope or the
 * accelerometer is lost (the age at which PX4's commander drops an estimate). Without satellite navigation, horizontal
 * position and velocity come from dead reckoning and stay valid for five seconds (EKF2_NOAID_TOUT). The same is true of
 * height and vertical velocity if both satellite navigation and the barometer are lost. Other faults do not end the
 * validity, because EKF2 accepts even the data of a stuck receiver. Without faults, everything is valid, even in a
 * flight without these sensors.
 */
import type { View } from "../../engine/index.ts";
import { SENSORS, SIGNALS } from "../../signals/table.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import type { Clock } from "../../time/index.ts";

const FAULTS = SIGNALS.sensorFaultKind.values;
const VALID = SIGNALS.estValid.values;

const GYRO = SENSORS.indexOf("gyro");
const ACCEL = SENSORS.indexOf("accel");
const BARO = SENSORS.indexOf("baro");
const GNSS = SENSORS.indexOf("gnss");

/** Age in µs beyond which PX4 does not use an estimate or a measured rate. */
export const STALE_US = 1e6;
/** PX4's EKF2_NOAID_TOUT: the time in µs for which dead reckoning stays valid. */
const DEAD_RECKONING_US = 5e6;

export class Aiding extends PartWithMemory {
  /** Whether the horizontal and the vertical estimate are corrected by measurements at this tick. */
  horizontal = true;
  vertical = true;
  /** Time in µs at which each sensor, and each direction of aiding, last delivered data. */
  private readonly m = { gyroUs: 0, accelUs: 0, horizontalUs: 0, verticalUs: 0 };
  protected readonly memory = this.m;
  private readonly mask = new Float64Array(1);

  /** The flags of `estValid`. */
  get valid(): number {
    return this.mask[0]!;
  }

  update(clock: Clock, bus: View<"estimator">): void {
    const { m } = this;
    const { sensorFaultKind: kinds } = bus;
    const us = clock.us;
    const gnss = delivers(kinds[GNSS]!);
    this.horizontal = gnss;
    this.vertical = gnss || delivers(kinds[BARO]!);
    if (delivers(kinds[GYRO]!)) m.gyroUs = us;
    if (delivers(kinds[ACCEL]!)) m.accelUs = us;
    if (this.horizontal) m.horizontalUs = us;
    if (this.vertical) m.verticalUs = us;

    let mask = 0;
    const hasRates = us - m.gyroUs <= STALE_US;
    if (hasRates) mask += VALID.rates;
    if (hasRates && us - m.accelUs <= STALE_US) {
      mask += VALID.attitude + VALID.heading;
      if (us - m.horizontalUs <= DEAD_RECKONING_US) mask += VALID.posXy + VALID.velXy;
      if (us - m.verticalUs <= DEAD_RECKONING_US) mask += VALID.posZ + VALID.velZ;
    }
    this.mask[0] = mask;
  }
}

function delivers(fault: number): boolean {
  return fault !== FAULTS["drop-out"];
}
