/** The inputs that the driver publishes to PX4 at a tick. */

/** The estimate that is published to PX4, in arrays that belong to the caller. */
export interface DriverEstimate {
  readonly posNed: Float64Array;
  readonly velNed: Float64Array;
  readonly accNed: Float64Array;
  readonly qBodyToNed: Float64Array;
  readonly rateBody: Float64Array;
  readonly rateDotBody: Float64Array;
  /** Which parts are valid: the bits of `estValid`. */
  readonly valid: number;
}

/** The other inputs that are published to PX4 at a tick; the caller fills them. */
export class DriverInputs {
  armed = false;
  navState = 0;
  groundContact = true;
  maybeLanded = true;
  landed = true;
  /** Home in the local frame and its heading; `homeCount` increases when home changes. */
  readonly homeNed = new Float64Array(3);
  homeYawRad = 0;
  homeCount = 1;
  readonly batteryVolts: Float64Array;
  readonly batteryAmps: Float64Array;
  readonly batteryRemaining: Float64Array;
  readonly batteryWarning: Float64Array;

  constructor(batteries: number) {
    this.batteryVolts = new Float64Array(batteries);
    this.batteryAmps = new Float64Array(batteries);
    this.batteryRemaining = new Float64Array(batteries).fill(1);
    this.batteryWarning = new Float64Array(batteries);
  }
}
