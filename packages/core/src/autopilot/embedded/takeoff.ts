/**
 * Take-off: from disarmed through spool-up and a thrust ramp to flight, and back on landing.
 *
 * The ramp acts through the climb-rate limit of the velocity controller. The limit starts so far below zero that the
 * controller demands zero thrust, and rises linearly to the target climb rate.
 */
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { SIGNALS } from "../../signals/table.ts";
import type { Parameters } from "./parameters.ts";

const G = 9.80665;

export const TAKEOFF = SIGNALS.takeoffState.values;

// Memory cells
const STATE = 0;
const PROGRESS = 1;
const ARMED = 2;
const ARMED_US = 3;
const UP_LIMIT = 4;

export class Takeoff implements Saveable {
  /** The climb-rate limit in flight, one cell. */
  readonly wantedMps = new Float64Array(1);
  private readonly m = Float64Array.of(TAKEOFF.disarmed, 0, 0, 0, 0);
  private spoolupUs = 1e6;
  private rampS = 3;
  private startLimit = -G / 4;
  private readonly dtS: number;

  constructor(dtS: number) {
    this.dtS = dtS;
  }

  configure(parameters: Parameters): void {
    this.spoolupUs = Math.trunc(parameters.get("COM_SPOOLUP_TIME") * 1e6);
    this.rampS = parameters.get("MPC_TKO_RAMP_T");
    this.startLimit = -G / Math.max(parameters.get("MPC_Z_VEL_P_ACC"), 0.01);
  }

  get state(): number {
    return this.m[STATE];
  }

  /** Largest climb rate that the velocity controller may demand; negative before the ramp and early in it. */
  get upLimitMps(): number {
    return this.m[UP_LIMIT];
  }

  /** `skip` is true for a mode without altitude control, which has no take-off. */
  update(clock: Clock, armed: boolean, landed: boolean, wanted: boolean, skip: boolean): void {
    const m = this.m;
    const nowUs = clock.us;
    if (armed && m[ARMED] === 0) m[ARMED_US] = nowUs;
    m[ARMED] = armed ? 1 : 0;
    const spooled = armed && nowUs >= m[ARMED_US] + this.spoolupUs;

    // One call may pass through several states.
    if (m[STATE] === TAKEOFF.disarmed && armed) m[STATE] = TAKEOFF["spool-up"];
    if (m[STATE] === TAKEOFF["spool-up"] && spooled) m[STATE] = TAKEOFF.ready;
    if (m[STATE] === TAKEOFF.flight) {
      if (landed) m[STATE] = TAKEOFF.ready;
    } else {
      if (m[STATE] === TAKEOFF.ready && wanted) {
        m[STATE] = TAKEOFF["ramp-up"];
        m[PROGRESS] = 0;
      }
      if (m[STATE] === TAKEOFF["ramp-up"] && m[PROGRESS] >= 1) m[STATE] = landed ? TAKEOFF.ready : TAKEOFF.flight;
    }
    if (skip && armed) m[STATE] = TAKEOFF.flight;
    if (!armed) m[STATE] = TAKEOFF.disarmed;
  }

  /** Advances the ramp towards `wantedMps`. */
  ramp(): void {
    const m = this.m;
    const wantedMps = this.wantedMps[0];
    const dtS = this.dtS;
    if (m[STATE] < TAKEOFF["ramp-up"]) {
      m[UP_LIMIT] = this.startLimit;
      return;
    }
    m[UP_LIMIT] = wantedMps;
    if (m[STATE] !== TAKEOFF["ramp-up"]) return;
    m[PROGRESS] = this.rampS > dtS ? m[PROGRESS] + dtS / this.rampS : 1;
    if (m[PROGRESS] < 1) m[UP_LIMIT] = this.startLimit + m[PROGRESS] * (wantedMps - this.startLimit);
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.m);
  }
}
