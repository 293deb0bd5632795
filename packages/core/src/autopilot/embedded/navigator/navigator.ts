/**
 * The navigator: runs the mode that the commander chose, and holds the triplet that the modes update.
 *
 * A change of mode clears the triplet, unless a loiter continues. The first tick of a mode activates it, later ticks
 * update it. No mode runs while disarmed.
 */
import type { Readable } from "../../../engine/contracts.ts";
import type { Clock } from "../../../time/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import type { Mission } from "../../mission.ts";
import type { LocalProjection } from "../../projection.ts";
import type { LandState } from "../land-detector.ts";
import { SIGNALS } from "../../../signals/table.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { Leg } from "./leg.ts";
import { MissionMode } from "./mission-mode.ts";
import { Orders } from "./orders.ts";
import { MissionPlan } from "./plan.ts";
import { Reposition } from "./reposition.ts";
import { ReturnMode } from "./return-mode.ts";
import { activateHold, activateLand, TakeoffMode } from "./simple-modes.ts";
import { TYPE_LOITER, type Triplet } from "./triplet.ts";

const NAV_STATES = SIGNALS.navState.values;
/** No mode runs. */
const NO_MODE = -1;

interface NavigatorContext {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  readonly homeYaw: Float64Array;
  readonly land: LandState;
  readonly projection: LocalProjection;
  readonly mission: Mission | undefined;
  /** Whether the fence forbids flying to a position. */
  readonly isForbidden: (posNed: Readable) => boolean;
}

export class Navigator extends PartWithMemory {
  readonly plan: MissionPlan;
  readonly mission: MissionMode;
  readonly takeoff: TakeoffMode;
  readonly orders = new Orders();
  private readonly leg: Leg;
  private readonly returning: ReturnMode;
  private readonly reposition: Reposition;
  private readonly last = { mode: NO_MODE };
  protected readonly memory;

  constructor(context: NavigatorContext) {
    super();
    const leg = new Leg(context.vehicle, context.homeNed, context.homeYaw, context.land);
    this.leg = leg;
    this.plan = new MissionPlan(context.mission, context.projection, context.homeNed);
    this.mission = new MissionMode(leg, this.plan, this.orders);
    this.returning = new ReturnMode(leg, context.mission?.rally ?? [], context.projection);
    this.takeoff = new TakeoffMode(leg);
    this.reposition = new Reposition(leg, context.isForbidden);
    const { plan, mission, returning, takeoff, orders, reposition, last } = this;
    this.memory = [leg, plan, mission, returning, takeoff, orders, reposition, last];
    leg.triplet.reset(leg.radiusM, -1, 0);
  }

  configure(p: Parameters): void {
    this.leg.configure(p);
    this.returning.configure(p);
    this.takeoff.configure(p);
  }

  get triplet(): Triplet {
    return this.leg.triplet;
  }

  /** Requests a flight to a position in hold mode. */
  goTo(posNed: Readable, yawRad: number): void {
    this.reposition.request(posNed, yawRad);
  }

  update(clock: Clock, navState: number, armed: boolean): void {
    const { leg, last } = this;
    leg.armed = armed;
    if (this.orders.consumeForItems()) leg.cruise.speedMps = this.orders.speedMps;
    const wanted = armed ? modeOf(navState) : NO_MODE;
    const before = last.mode;
    this.reposition.accept(clock, before === NAV_STATES.hold);
    if (wanted !== before) this.leaveMode(clock, before, wanted);
    last.mode = wanted;
    if (before !== wanted) this.activate(clock, wanted);
    else this.run(clock, wanted);
    if (wanted !== NAV_STATES.mission) this.mission.updateInactive();
  }

  private leaveMode(clock: Clock, before: number, wanted: number): void {
    const current = this.leg.triplet.current;
    const continues =
      wanted === NAV_STATES.hold &&
      (before === NAV_STATES["take-off"] || (current.valid && current.type === TYPE_LOITER));
    if (!continues) this.leg.resetTriplet(clock);
    if (before === NAV_STATES.mission) this.mission.deactivate();
  }

  private activate(clock: Clock, mode: number): void {
    switch (mode) {
      case NAV_STATES.mission:
        this.mission.activate(clock);
        break;
      case NAV_STATES.return:
        this.returning.activate();
        break;
      case NAV_STATES.hold:
        activateHold(this.leg, clock, this.reposition);
        break;
      case NAV_STATES["take-off"]:
        this.takeoff.activate(clock);
        break;
      case NAV_STATES.land:
        activateLand(this.leg, clock);
        break;
    }
  }

  private run(clock: Clock, mode: number): void {
    switch (mode) {
      case NAV_STATES.mission:
        this.mission.update(clock);
        break;
      case NAV_STATES.return:
        this.returning.update(clock);
        break;
      case NAV_STATES.hold:
        this.reposition.apply(clock);
        break;
      case NAV_STATES["take-off"]:
        this.takeoff.update(clock);
        break;
    }
  }
}

function modeOf(navState: number): number {
  switch (navState) {
    case NAV_STATES.mission:
    case NAV_STATES.return:
    case NAV_STATES.hold:
    case NAV_STATES["take-off"]:
    case NAV_STATES.land:
      return navState;
    default:
      return NO_MODE;
  }
}
