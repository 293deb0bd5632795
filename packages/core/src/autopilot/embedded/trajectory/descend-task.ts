/**
 * The setpoint of Descend, the mode without a position: a level attitude, the heading at the start of the mode, and a
 * sink rate of MPC_LAND_SPEED.
 *
 * If the vertical velocity is unknown, it commands a constant downward acceleration instead. The vehicle drifts with
 * the wind.
 */
import { SIGNALS } from "../../../signals/table.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { TrajectorySetpoint } from "./setpoint.ts";

const VALID = SIGNALS.estValid.values;
/** Downward acceleration if the vertical velocity is unknown (m/s²). */
const DESCENT_ACC = 0.3;

export class DescendTask extends PartWithMemory {
  readonly setpoint = new TrajectorySetpoint();
  private readonly m = { isActive: false };
  protected readonly memory = [this.setpoint, this.m];
  private readonly vehicle: Vehicle;
  private landSpeed = 0;
  private speedUpMax = 0;
  private speedDownMax = 0;

  constructor(vehicle: Vehicle) {
    super();
    this.vehicle = vehicle;
  }

  configure(p: Parameters): void {
    this.landSpeed = Math.min(p.get("MPC_LAND_SPEED"), p.get("MPC_Z_VEL_MAX_DN"));
    this.speedUpMax = p.get("MPC_Z_VEL_MAX_UP");
    this.speedDownMax = p.get("MPC_Z_VEL_MAX_DN");
  }

  get active(): boolean {
    return this.m.isActive;
  }

  get requestsTakeoff(): boolean {
    return false;
  }

  get speedUp(): number {
    return this.speedUpMax;
  }

  get speedDown(): number {
    return this.speedDownMax;
  }

  activate(): void {
    this.m.isActive = true;
    this.setpoint.clear();
    this.setpoint.yaw[0] = this.vehicle.headingRad;
  }

  deactivate(): void {
    this.m.isActive = false;
    this.setpoint.clear();
  }

  update(): void {
    const { velNed, accNed } = this.setpoint;
    const hasClimbRate = (this.vehicle.valid & VALID.velZ) !== 0;
    velNed[2] = hasClimbRate ? this.landSpeed : NaN;
    accNed[0] = 0;
    accNed[1] = 0;
    accNed[2] = hasClimbRate ? NaN : DESCENT_ACC;
  }
}
