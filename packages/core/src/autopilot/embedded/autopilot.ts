/**
 * The embedded autopilot: PX4's multicopter stack as a source on the bus.
 *
 * One tick: estimate → parameters → commander → navigator → trajectory → position → attitude → rates → allocation →
 * land detector → hover thrust → status. A part that is not due keeps its last results, which the other parts then
 * read. The autopilot reads the estimate, battery and requests, and writes only its own signals; a setpoint that is
 * NaN is published as zero with a cleared validity bit.
 */
import type { Source, View } from "../../engine/contracts.ts";
import { hasBit } from "../../signals/mask.ts";
import { type Memory, PartWithMemory, type Saveable } from "../../snapshot/index.ts";
import { periodicAxis, type Clock, type PeriodicAxis } from "../../time/index.ts";
import type { AutopilotContext, ParameterChange } from "../context.ts";
import { LocalProjection } from "../projection.ts";
import { Allocation } from "./allocation.ts";
import { AttitudeControl } from "./attitude-control.ts";
import { channelsOf, checkChange } from "./checks.ts";
import { Commander } from "./commander.ts";
import { FenceAreas } from "./fence.ts";
import { HoverThrust } from "./hover-thrust.ts";
import { LandDetector, type LandDetectorInputs, landDetectorSettings } from "./land-detector.ts";
import { SIGNALS } from "../../signals/table.ts";
import { Navigator } from "./navigator/navigator.ts";
import { Parameters } from "./parameters.ts";
import { PositionControl } from "./position-control.ts";
import { publishSetpoint } from "./publish.ts";
import { RateControl } from "./rate-control.ts";
import { makeSchedule, PRESET_PARAMETERS, type Schedule, type ScheduleOptions } from "./schedule.ts";
import { Takeoff, TAKEOFF } from "./takeoff.ts";
import { AutoTask } from "./trajectory/auto-task.ts";
import { DescendTask } from "./trajectory/descend-task.ts";
import { StickTask } from "./trajectory/stick-task.ts";
import { TrajectorySetpoint } from "./trajectory/setpoint.ts";
import { Vehicle } from "./vehicle.ts";

const NAV_STATES = SIGNALS.navState.values;

/** Minimum time between two reports from the allocation to the rate controller (µs). */
const MIN_REPORT_INTERVAL_US = 5000;
/** A downward acceleration setpoint so large that thrust becomes zero (m/s²). */
const NO_THRUST_ACC = 100;

export interface EmbeddedOptions extends Omit<ScheduleOptions, "tickUs"> {
  readonly gyroFilter: boolean;
}

/** A land detector that replaces the autopilot's own. Tests use it to replay a flight with that flight's detector. */
export type LandDetectorLike = Pick<
  LandDetector,
  "groundContact" | "maybeLanded" | "landed" | "stage" | "update" | "save" | "load"
>;

/** The embedded autopilot, which flies like PX4. */
export class EmbeddedAutopilot extends PartWithMemory implements Source<"autopilot"> {
  readonly writer = "autopilot";
  readonly axis: PeriodicAxis;
  readonly parameters: Parameters;
  readonly schedule: Schedule;
  readonly navigator: Navigator;
  readonly commander: Commander;
  readonly task: AutoTask;
  readonly takeoff: Takeoff;
  readonly position: PositionControl;
  readonly attitude: AttitudeControl;
  readonly rates: RateControl;
  readonly allocation: Allocation;
  readonly hoverThrust: HoverThrust;
  private readonly land: LandDetectorLike;
  private readonly vehicle = new Vehicle();
  private readonly descent = new DescendTask(this.vehicle);
  private readonly homeNed = new Float64Array(3);
  private readonly homeYaw = new Float64Array(1);
  private readonly stickTask = new StickTask(this.vehicle, this.homeNed);
  private readonly tickUs: number;
  private readonly startUs: number;
  private readonly reportTicks: number;
  private readonly changes: readonly ParameterChange[];
  /** Bits of the active parameter changes, and the hover thrust last passed to the land detector. */
  private readonly m = { applied: 0, landHover: 0 };
  private readonly channels: Int32Array;
  private readonly noThrust = new TrajectorySetpoint();
  /** The setpoint that the position controller receives. */
  private readonly controlSetpoint = new TrajectorySetpoint();
  private readonly landInputs: LandDetectorInputs = {
    armed: false,
    throttle: 0,
    hoverThrust: 0.5,
    hoverThrustValid: false,
    sinkSetpointMps: NaN,
    climbControlled: true,
    velNed: this.vehicle.velNed,
    accNed: this.vehicle.accNed,
    rateBody: this.vehicle.rateBody,
    valid: 0,
  };
  /** Whether the embedded autopilot implements the present flight mode; if not, it commands nothing. */
  private handlesMode = false;
  private useHoverThrust = true;
  private hoverParameter = 0.5;
  private speedUpMax = 3;

  constructor(context: AutopilotContext, options: EmbeddedOptions, land?: LandDetectorLike) {
    super();
    const { periodUs, startUs = 0 } = context;
    const tickS = periodUs / 1e6;
    this.axis = periodicAxis({ periodUs, startUs });
    this.tickUs = periodUs;
    this.startUs = startUs;
    this.parameters = new Parameters(context.rotors, { ...PRESET_PARAMETERS[options.preset], ...context.parameters });
    this.changes = context.parameterChanges ?? [];
    for (const change of this.changes) checkChange(this.parameters, change);
    this.channels = channelsOf(context, this.parameters.get("CA_ROTOR_COUNT"));
    this.schedule = makeSchedule({ ...options, tickUs: periodUs });
    this.reportTicks = Math.ceil(MIN_REPORT_INTERVAL_US / periodUs);

    const { vehicle, homeNed, homeYaw } = this;
    const positionS = clampStep(this.schedule.position.period * tickS);
    const projection = new LocalProjection(context.origin);
    this.land = land ?? new LandDetector(landDetectorSettings(this.parameters));
    this.navigator = new Navigator({
      vehicle,
      homeNed,
      homeYaw,
      land: this.land,
      projection,
      mission: context.mission,
      isForbidden: (posNed) => this.commander.failsafe.forbids(posNed),
    });
    this.commander = new Commander({
      vehicle,
      homeNed,
      homeYaw,
      land: this.land,
      navigator: this.navigator,
      fence: new FenceAreas(context.mission?.fence, projection),
      initialMode: options.preset === "px4-library" ? NAV_STATES.manual : NAV_STATES.hold,
    });
    this.task = new AutoTask(vehicle, homeNed, this.schedule.trajectory.period * tickS);
    this.takeoff = new Takeoff(positionS);
    this.position = new PositionControl(vehicle, positionS);
    this.attitude = new AttitudeControl(vehicle);
    this.rates = new RateControl(vehicle, tickS, options.gyroFilter);
    this.allocation = new Allocation(tickS);
    this.hoverThrust = new HoverThrust(
      { vehicle, homeNed, thrustZ: this.position.thrustZ, unallocated: this.allocation.unallocated },
      positionS,
    );
    this.noThrust.accNed.set([0, 0, NO_THRUST_ACC]);
    this.configure();
  }

  readonly update = (clock: Clock, bus: View<"autopilot">): void => {
    const tick = ((clock.us - this.startUs) / this.tickUs) | 0;
    const { schedule, commander } = this;
    this.vehicle.read(bus, clock);
    if (bus.parameterChanges[0] !== this.m.applied) this.applyChanges(bus.parameterChanges[0]!);
    commander.update(clock, bus);
    this.handlesMode = isHandledMode(commander.navState);
    if (isDue(schedule.navigator.period, schedule.navigator.phase, tick)) {
      this.navigator.update(clock, commander.navState, commander.armed);
    }
    const trajectoryDue = isDue(schedule.trajectory.period, schedule.trajectory.phase, tick);
    if (trajectoryDue) this.runTrajectory(clock, bus);
    const positionDue = isDue(schedule.position.period, schedule.position.phase, tick);
    if (positionDue) this.runPosition(clock);
    this.runAttitude(tick);
    if (isDue(schedule.landDetector.period, schedule.landDetector.phase, tick)) this.runLandDetector(clock);
    if (positionDue) this.hoverThrust.update(clock, commander.armed, this.land.landed);
    this.publish(bus);
    // The bus keeps the setpoint until the trajectory generator runs again.
    if (trajectoryDue) publishSetpoint(bus, this.activeTask);
  };

  protected get memory(): Memory {
    const { m, commander, navigator, task, descent, stickTask, takeoff } = this;
    const { position, attitude, rates, allocation, hoverThrust, land } = this;
    // Apply loaded parameters before the controllers load their memory, because applying them may change that memory.
    const parameters: Saveable = {
      save: (writer) => this.parameters.save(writer),
      load: (reader) => {
        this.parameters.load(reader);
        this.configure();
      },
    };
    return {
      parameters,
      m,
      commander,
      navigator,
      task,
      descent,
      stickTask,
      takeoff,
      position,
      attitude,
      rates,
      allocation,
      hoverThrust,
      land,
    };
  }

  private configure(): void {
    const p = this.parameters;
    this.commander.configure(p);
    this.navigator.configure(p);
    this.task.configure(p);
    this.descent.configure(p);
    this.stickTask.configure(p);
    this.takeoff.configure(p);
    this.position.configure(p);
    this.attitude.configure(p);
    this.rates.configure(p);
    this.allocation.configure(p);
    this.hoverThrust.configure(p);
    this.useHoverThrust = p.get("MPC_USE_HTE") === 1;
    this.hoverParameter = p.get("MPC_THR_HOVER");
    this.speedUpMax = p.get("MPC_Z_VEL_MAX_UP");
    if (this.land instanceof LandDetector) this.land.configure(landDetectorSettings(p));
  }

  private applyChanges(mask: number): void {
    for (const { name, value, bit } of this.changes) {
      if (hasBit(mask, bit) && !hasBit(this.m.applied, bit)) this.parameters.set(name, value);
    }
    this.m.applied = mask;
    this.configure();
  }

  /**
   * The task whose setpoint is active. After a change of mode, this is the old task until the trajectory generator
   * runs.
   */
  private get activeTask(): AutoTask | DescendTask | StickTask {
    if (this.stickTask.active) return this.stickTask;
    return this.descent.active ? this.descent : this.task;
  }

  private runTrajectory(clock: Clock, bus: View<"autopilot">): void {
    const { task, descent, stickTask, navigator } = this;
    const { navState } = this.commander;
    const descends = navState === NAV_STATES.descend;
    const bySticks = navState === NAV_STATES.position;
    if (descent.active && !descends) descent.deactivate();
    if (stickTask.active && !bySticks) stickTask.deactivate();
    if (task.active && (descends || bySticks || !this.handlesMode)) task.deactivate();
    if (!this.handlesMode) return;
    if (descends) {
      if (!descent.active) descent.activate();
      descent.update();
      return;
    }
    if (bySticks) {
      if (!stickTask.active) stickTask.activate();
      stickTask.update(bus.sticks);
      return;
    }
    if (!task.active) task.activate();
    if (navigator.orders.consumeForTask()) task.overrideCruise(navigator.orders.speedMps, clock.us);
    task.update(navigator.triplet, this.takeoff.state);
  }

  private runPosition(clock: Clock): void {
    const { takeoff, position, land, commander, controlSetpoint } = this;
    const task = this.activeTask;
    if (this.useHoverThrust && this.hoverThrust.valid) {
      position.hoverEstimate[0] = this.hoverThrust.hover;
      position.updateHoverThrust();
    }
    position.observe();
    if (!this.handlesMode) {
      takeoff.update(clock, commander.armed, land.landed, false, true);
      position.resetIntegral();
      return;
    }
    takeoff.update(clock, commander.armed, land.landed, task.requestsTakeoff, false);
    const flying = takeoff.state >= TAKEOFF.flight;
    if (!flying) position.resetHoverThrust();
    if (takeoff.state < TAKEOFF["ramp-up"] || (flying && land.groundContact)) {
      controlSetpoint.copy(this.noThrust);
      position.resetIntegral();
    } else {
      controlSetpoint.copy(task.setpoint);
      // There is no feed-forward during the ramp.
      if (takeoff.state === TAKEOFF["ramp-up"]) controlSetpoint.accNed[2] = NaN;
    }
    takeoff.flightLimitMps[0] = Math.min(task.speedUp, this.speedUpMax);
    takeoff.ramp();
    position.speedLimits[0] = Math.min(takeoff.upLimitMps, this.speedUpMax);
    position.speedLimits[1] = Math.max(task.speedDown, 0);
    position.update(controlSetpoint, flying);
    for (let i = 0; i < 4; i += 1) this.attitude.qSetpoint[i] = position.qBodyToNed[i];
    this.attitude.yawRate[0] = position.yawRate[0];
  }

  private runAttitude(tick: number): void {
    const { attitude, rates, allocation, land, position } = this;
    rates.observe();
    if (!this.commander.armed || !this.handlesMode) {
      rates.resetIntegral();
      allocation.stop();
      return;
    }
    attitude.update();
    rates.update(attitude.rateSp, !land.maybeLanded && !land.landed);
    allocation.update(rates.torque, position.thrustZ);
    if (tick % this.reportTicks === 0) {
      allocation.report(rates.torque, position.thrustZ);
      allocation.saturationInto(rates.saturation);
    }
  }

  private runLandDetector(clock: Clock): void {
    const inputs = this.landInputs;
    inputs.armed = this.commander.armed;
    inputs.valid = this.vehicle.valid;
    inputs.climbControlled = this.handlesMode;
    inputs.throttle = this.handlesMode ? -this.position.thrustZ[0] : 0;
    const estimated = this.useHoverThrust && this.hoverThrust.valid;
    inputs.hoverThrustValid = estimated;
    // Without a valid estimate, keep the last valid one.
    if (estimated) this.m.landHover = this.hoverThrust.hover;
    else if (!this.useHoverThrust || this.m.landHover === 0) this.m.landHover = this.hoverParameter;
    inputs.hoverThrust = this.m.landHover;
    inputs.sinkSetpointMps = this.activeTask.setpoint.velNed[2];
    this.land.update(clock, inputs);
  }

  private publish(bus: View<"autopilot">): void {
    const { commander, navigator, attitude, rates, position, allocation } = this;
    const { motorCommand, setQBodyToNed, unallocated, setRateBody, setTorqueBody, setThrustBody } = bus;
    if (!commander.armed || !this.handlesMode) {
      motorCommand.fill(0);
      setRateBody.fill(0);
      setTorqueBody.fill(0);
      setThrustBody[2] = 0;
    } else {
      // Channels without a rotor are never commanded and stay at zero.
      allocation.commandInto(motorCommand, this.channels);
      const { rateSp } = attitude;
      const { torque } = rates;
      setRateBody[0] = rateSp[0];
      setRateBody[1] = rateSp[1];
      setRateBody[2] = rateSp[2];
      setTorqueBody[0] = torque[0];
      setTorqueBody[1] = torque[1];
      setTorqueBody[2] = torque[2];
      setThrustBody[2] = position.thrustZ[0];
    }
    for (let i = 0; i < 4; i += 1) {
      setQBodyToNed[i] = attitude.qSetpoint[i];
      unallocated[i] = allocation.unallocated[i];
    }
    bus.armed[0] = commander.armed ? 1 : 0;
    bus.navState[0] = commander.navState;
    bus.takeoffState[0] = this.takeoff.state;
    bus.landDetected[0] = this.land.stage;
    bus.missionIndex[0] = navigator.mission.current;
    bus.missionCount[0] = navigator.plan.count;
    bus.missionReached[0] = navigator.mission.reached;
    bus.missionFinished[0] = navigator.mission.finished ? 1 : 0;
    bus.failsafe[0] = commander.failsafe.cause;
    bus.hoverThrust[0] = position.hoverThrust;
  }
}

/** Whether the embedded autopilot implements the flight mode. */
function isHandledMode(navState: number): boolean {
  switch (navState) {
    case NAV_STATES.position:
    case NAV_STATES.mission:
    case NAV_STATES.hold:
    case NAV_STATES.return:
    case NAV_STATES["take-off"]:
    case NAV_STATES.land:
    case NAV_STATES.descend:
      return true;
    default:
      return false;
  }
}

function isDue(period: number, phase: number, tick: number): boolean {
  return tick % period === phase;
}

/** Limits the position controller's step to between 2 and 40 ms, as PX4 does. */
function clampStep(dtS: number): number {
  return Math.min(Math.max(dtS, 0.002), 0.04);
}
