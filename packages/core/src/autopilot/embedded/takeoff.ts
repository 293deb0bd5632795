/**
 * Take-off: from disarmed through spool-up and a thrust ramp to flight, and back on landing.
 *
 * The ramp acts through the climb-rate limit of the velocity controller. The limit starts so far below zero that the
 * controller demands zero thrust, and rises linearly to the target climb rate.
 */
import type { Clock } from "../../time/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import { SIGNALS } from "../../signals/table.ts";
import { G } from "./constants.ts";
import type { Parameters } from "./parameters.ts";

export const TAKEOFF = SIGNALS.takeoffState.values;

export class Takeoff extends PartWithMemory {
  /** The climb-rate limit in flight, one cell. */
  readonly flightLimitMps = new Float64Array(1);
  private readonly m = { state: TAKEOFF.disarmed as number, progress: 0, isArmed: false, armedUs: 0, upLimit: 0 };
  protected readonly memory = this.m;
  private spoolupUs = 1e6;
  private rampS = 3;
  private startLimit = -G / 4;
  private readonly dtS: number;

  constructor(dtS: number) {
    super();
    this.dtS = dtS;
  }

  configure(parameters: Parameters): void {
    this.spoolupUs = Math.trunc(parameters.get("COM_SPOOLUP_TIME") * 1e6);
    this.rampS = parameters.get("MPC_TKO_RAMP_T");
    this.startLimit = -G / Math.max(parameters.get("MPC_Z_VEL_P_ACC"), 0.01);
  }

  get state(): number {
    return this.m.state;
  }

  /** Largest climb rate that the velocity controller may demand; negative before the ramp and early in it. */
  get upLimitMps(): number {
    return this.m.upLimit;
  }

  /** `skip` is true for a mode without altitude control, which has no take-off. */
  update(clock: Clock, armed: boolean, landed: boolean, requested: boolean, skip: boolean): void {
    const m = this.m;
    const nowUs = clock.us;
    if (armed && !m.isArmed) m.armedUs = nowUs;
    m.isArmed = armed;
    const spooled = armed && nowUs >= m.armedUs + this.spoolupUs;

    // One call may pass through several states.
    if (m.state === TAKEOFF.disarmed && armed) m.state = TAKEOFF["spool-up"];
    if (m.state === TAKEOFF["spool-up"] && spooled) m.state = TAKEOFF.ready;
    if (m.state === TAKEOFF.flight) {
      if (landed) m.state = TAKEOFF.ready;
    } else {
      if (m.state === TAKEOFF.ready && requested) {
        m.state = TAKEOFF["ramp-up"];
        m.progress = 0;
      }
      if (m.state === TAKEOFF["ramp-up"] && m.progress >= 1) m.state = landed ? TAKEOFF.ready : TAKEOFF.flight;
    }
    if (skip && armed) m.state = TAKEOFF.flight;
    if (!armed) m.state = TAKEOFF.disarmed;
  }

  /** Advances the ramp towards `flightLimitMps`. */
  ramp(): void {
    const m = this.m;
    const flightLimitMps = this.flightLimitMps[0];
    const dtS = this.dtS;
    if (m.state < TAKEOFF["ramp-up"]) {
      m.upLimit = this.startLimit;
      return;
    }
    m.upLimit = flightLimitMps;
    if (m.state !== TAKEOFF["ramp-up"]) return;
    m.progress = this.rampS > dtS ? m.progress + dtS / this.rampS : 1;
    if (m.progress < 1) m.upLimit = this.startLimit + m.progress * (flightLimitMps - this.startLimit);
  }
}
