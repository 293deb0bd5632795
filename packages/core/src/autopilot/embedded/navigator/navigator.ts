/**
 * The navigator: runs the mode that the commander chose, and keeps the triplet.
 *
 * A change of mode clears the triplet, unless a loiter continues. The first tick of a mode activates it, later ticks
 * update it. No mode runs while disarmed.
 */
import type { Clock } from "../../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../../snapshot/index.ts";
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
import { ReturnMode } from "./return-mode.ts";
import { HoldMode, LandMode, TakeoffMode } from "./simple-modes.ts";
import { TYPE_LOITER, type Triplet } from "./triplet.ts";

const NAV_STATES = SIGNALS.navState.values;
/** No mode runs. */
const NOTHING = -1;

interface NavigatorSurroundings {
  readonly vehicle: Vehicle;
  readonly homeNed: Float64Array;
  readonly homeYaw: Float64Array;
  readonly land: LandState;
  readonly projection: LocalProjection;
  readonly mission: Mission | undefined;
}

export class Navigator implements Saveable {
  readonly plan: MissionPlan;
  readonly mission: MissionMode;
  readonly takeoff: TakeoffMode;
  readonly orders = new Orders();
  private readonly leg: Leg;
  private readonly returning: ReturnMode;
  private readonly hold: HoldMode;
  private readonly land: LandMode;
  /** The mode that ran last. */
  private readonly m = Float64Array.of(NOTHING);

  constructor(around: NavigatorSurroundings) {
    const leg = new Leg(around.vehicle, around.homeNed, around.homeYaw, around.land);
    this.leg = leg;
    this.plan = new MissionPlan(around.mission, around.projection, around.homeNed);
    this.mission = new MissionMode(leg, this.plan, this.orders);
    this.returning = new ReturnMode(leg, around.mission?.rally ?? [], around.projection);
    this.takeoff = new TakeoffMode(leg);
    this.hold = new HoldMode(leg);
    this.land = new LandMode(leg);
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

  update(clock: Clock, navState: number, armed: boolean): void {
    const { leg, m } = this;
    leg.armed = armed;
    if (this.orders.takeForItems()) leg.cruiseMps = this.orders.speedMps;
    const wanted = armed ? modeOf(navState) : NOTHING;
    const before = m[0];
    if (wanted !== before) this.leave(clock, before, wanted);
    m[0] = wanted;
    if (before !== wanted) this.activate(clock, wanted);
    else this.run(clock, wanted);
    if (wanted !== NAV_STATES.mission) this.mission.inactive();
  }

  save(writer: SnapshotWriter): void {
    this.leg.save(writer);
    this.plan.save(writer);
    this.mission.save(writer);
    this.returning.save(writer);
    this.takeoff.save(writer);
    this.orders.save(writer);
    writer.numbers(this.m);
  }

  load(reader: SnapshotReader): void {
    this.leg.load(reader);
    this.plan.load(reader);
    this.mission.load(reader);
    this.returning.load(reader);
    this.takeoff.load(reader);
    this.orders.load(reader);
    reader.numbersInto(this.m);
  }

  private leave(clock: Clock, before: number, wanted: number): void {
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
        this.hold.activate(clock);
        break;
      case NAV_STATES["take-off"]:
        this.takeoff.activate(clock);
        break;
      case NAV_STATES.land:
        this.land.activate(clock);
        break;
    }
  }

  private run(clock: Clock, mode: number): void {
    switch (mode) {
      case NAV_STATES.mission:
        this.mission.active(clock);
        break;
      case NAV_STATES.return:
        this.returning.active(clock);
        break;
      case NAV_STATES["take-off"]:
        this.takeoff.active(clock);
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
      return NOTHING;
  }
}
