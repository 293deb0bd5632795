/**
 * Flies one flight with the PX4 library: the library's runtime, and the parts of the core that replace modules that the
 * library does not have.
 *
 * One tick: estimate → parameters → commander → PX4 (navigator to motors, in one step) → land detector → hover thrust →
 * publish the state. A process can fly only once, because PX4's state outlives the flight.
 */
import {
  AutopilotParameters,
  Commander,
  FenceAreas,
  hasBit,
  HoverThrust,
  LandDetector,
  landDetectorSettings,
  LocalProjection,
  secondsToUs,
  SETPOINT_BITS,
  SIGNALS,
  VehicleEstimate,
} from "@escapement/core";
import type { Clock, LandDetectorInputs, SourceMessage, View } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { NAV_STATE } from "../modes.ts";
import { noEffectWarning } from "../parameters.ts";
import { loadAbi } from "./abi.ts";
import type { LockstepAbi } from "./abi.ts";
import { controlFlags } from "./control-flags.ts";
import type { LockstepPaths } from "./discovery.ts";
import { LockstepDriver } from "./driver.ts";
import type { DriverOptions } from "./driver.ts";
import { lockstepErrors } from "./errors.ts";
import { loadMission } from "./mission.ts";
import type { MissionRoute } from "./mission.ts";
import { NavigatorReport } from "./navigator-report.ts";
import { RepositionCommand } from "./reposition.ts";
import { changeParameter, coreParameters, startParameters, thrustFactor } from "./parameter-set.ts";
import type { LockstepParams } from "./params.ts";
import { publishCommand, publishSetpoints } from "./publish.ts";
import type { RateReport } from "./rates.ts";
import { LockstepRuntime } from "./runtime.ts";
import type { Publisher } from "./runtime.ts";
import { ModuleMessages } from "./module-messages.ts";

const RETURN_ITEM = 20;
const MISSION_REQUEST = SIGNALS.requestMode.values.mission;
const MISSION_CHECK_US = 1_000_000;

/** Periods of PX4's modules, in ticks. */
type ModuleTicks = Pick<DriverOptions, "navigatorTicks" | "positionTicks" | "flightTaskTicks">;

let hasFlown = false;

export class LockstepSession {
  private readonly abi: LockstepAbi;
  private readonly runtime: LockstepRuntime;
  private readonly context: AutopilotContext;
  private readonly params: LockstepParams;
  private readonly parameters: AutopilotParameters;
  private readonly vehicle = new VehicleEstimate();
  private readonly homeNed = new Float64Array(3);
  private readonly homeYaw = new Float64Array(1);
  private readonly land: LandDetector;
  private readonly landInputs: LandDetectorInputs;
  private readonly hover: HoverThrust;
  /**
   * Inputs of the hover thrust estimator: the thrust setpoint along body z, and the part of it that was not allocated.
   */
  private readonly hoverInputs = { thrustZ: new Float64Array(1), unallocated: new Float64Array(4) };
  private readonly hoverTopic: Publisher<"hover_thrust_estimate"> | undefined;
  private readonly ticksOf: ModuleTicks;
  private readonly commander: Commander;
  private readonly navigator: NavigatorReport;
  private driver: LockstepDriver | undefined;
  private readonly moduleMessages: ModuleMessages;
  private readonly px4Us = new Float64Array(1);
  private readonly offsetUs: number;
  private readonly applied = new Float64Array(1);
  private thrustFactor: number;
  private tick = 0;

  constructor(options: {
    params: LockstepParams;
    context: AutopilotContext;
    paths: LockstepPaths;
    rates: readonly RateReport[];
    /** Receives PX4's messages. */
    messages: SourceMessage[];
  }) {
    assertFreshProcess();
    const { params, context, paths, rates } = options;
    const { vehicle, homeNed, homeYaw } = this;
    this.params = params;
    this.context = context;
    this.offsetUs = secondsToUs(params.clockOffsetS);
    this.abi = loadAbi(paths.library);
    const { messages } = paths;
    this.runtime = new LockstepRuntime({
      abi: this.abi,
      rates: params,
      ...(messages === undefined ? {} : { messages }),
    });
    this.moduleMessages = new ModuleMessages(this.runtime, options.messages);
    const unknown = startParameters(this.runtime, context, params.airframeParameters);
    if (unknown.length > 0)
      this.moduleMessages.add(0, true, noEffectWarning(unknown, "which the PX4 library does not have"));
    this.thrustFactor = thrustFactor(context.parameters);
    this.parameters = new AutopilotParameters(context.rotors, coreParameters(context));
    this.land = new LandDetector(landDetectorSettings(this.parameters));
    this.landInputs = {
      armed: false,
      throttle: 0,
      hoverThrust: this.parameters.get("MPC_THR_HOVER"),
      hoverThrustValid: false,
      sinkSetpointMps: Number.NaN,
      climbControlled: true,
      velNed: vehicle.velNed,
      accNed: vehicle.accNed,
      rateBody: vehicle.rateBody,
      valid: 0,
    };
    this.ticksOf = ticksOfModules(rates, context.periodUs);
    this.hover = new HoverThrust(
      { vehicle, homeNed, ...this.hoverInputs },
      (this.ticksOf.positionTicks * context.periodUs) / 1e6,
    );
    this.hoverTopic = params.hoverThrustEstimate ? this.runtime.publisher("hover_thrust_estimate") : undefined;
    this.navigator = this.makeNavigator();
    this.commander = new Commander({
      vehicle,
      homeNed,
      homeYaw,
      land: this.land,
      navigator: this.navigator,
      fence: new FenceAreas(context.mission?.fence, new LocalProjection(context.origin)),
      initialMode: params.initialMode === "manual" ? NAV_STATE.manual : NAV_STATE.hold,
    });
    this.configure();
  }

  update(clock: Clock, bus: View<"autopilot">): void {
    this.driver ??= this.begin(bus.batteryVoltage.length);
    this.px4Us[0] = clock.us + this.offsetUs;
    this.vehicle.read(bus, clock);
    if (bus.parameterChanges[0] !== this.applied[0]) this.applyChanges(bus.parameterChanges[0]!);
    this.commander.update(clock, bus);
    this.fillInputs(this.driver, bus);
    this.driver.tick(this.px4Us);
    if (this.tick === 0) this.loadMission();
    this.tick += 1;
    publishCommand(bus, this.driver, this.commander.armed, this.thrustFactor);
    publishSetpoints(bus, this.driver);
    if (this.driver.navigatorRan) {
      this.navigator.read(clock.us, this.px4Us[0]!, this.driver.inputs.navState);
      this.moduleMessages.read(clock.us);
    }
    if (bus.requestMode[0] === MISSION_REQUEST) this.assertFeasible(clock);
    this.runLandDetector(clock, bus);
    if (this.driver.positionRan) this.runHoverThrust(clock, bus);
    this.publishState(bus, this.driver);
  }

  private makeNavigator(): NavigatorReport {
    const { abi, runtime, context } = this;
    const mayOrderReturn = context.mission?.items.some(({ command }) => command === RETURN_ITEM) ?? false;
    const reposition = new RepositionCommand(abi, runtime, context.origin);
    return new NavigatorReport(runtime, mayOrderReturn, (posNed, yawRad) =>
      reposition.send(this.px4Us[0]!, posNed, yawRad),
    );
  }

  close(): void {
    this.runtime.close();
  }

  private begin(batteries: number): LockstepDriver {
    const { runtime, context, vehicle, ticksOf } = this;
    const { origin } = context;
    return new LockstepDriver({ runtime, origin, batteries, estimate: vehicle, ...ticksOf });
  }

  /** Loads the mission. Called after the first step, when PX4 has a home and a position, and its clock is not 0. */
  private loadMission(): void {
    const { mission } = this.context;
    if (mission === undefined || mission.items.length === 0) return;
    loadMission(this.runtime, this.abi, mission, this.params.missionItems as MissionRoute);
  }

  /**
   * Throws if PX4 has rejected the mission, which PX4 checks soon after loading it. The parent process adds the reason.
   */
  private assertFeasible(clock: Clock): void {
    const { navigator, context } = this;
    const isChecked = clock.us - (context.startUs ?? 0) >= MISSION_CHECK_US;
    if (navigator.mission.feasible || !isChecked || (context.mission?.items.length ?? 0) === 0) return;
    throw lockstepErrors.missionRejected({ what: "PX4 rejected the mission", fix: "correct the item that PX4 names" });
  }

  private configure(): void {
    this.commander.configure(this.parameters);
    this.hover.configure(this.parameters);
    this.land.configure(landDetectorSettings(this.parameters));
  }

  private applyChanges(mask: number): void {
    for (const change of this.context.parameterChanges ?? []) {
      if (!hasBit(mask, change.bit) || hasBit(this.applied[0]!, change.bit)) continue;
      changeParameter(this.runtime, this.parameters, change);
      if (change.name === "THR_MDL_FAC") this.thrustFactor = change.value;
    }
    this.applied[0] = mask;
    this.configure();
    this.runtime.applyParameters();
  }

  private fillInputs(driver: LockstepDriver, bus: View<"autopilot">): void {
    const { inputs } = driver;
    const { land, commander, homeNed } = this;
    inputs.armed = commander.armed;
    // Switch to hold, because the library's navigator would restart a mission that has ended on the ground.
    const isOver = commander.navState === NAV_STATE.mission && this.navigator.mission.finished && land.landed;
    inputs.navState = isOver ? NAV_STATE.hold : commander.navState;
    inputs.groundContact = land.groundContact;
    inputs.maybeLanded = land.maybeLanded;
    inputs.landed = land.landed;
    for (let i = 0; i < 3; i += 1) {
      if (inputs.homeNed[i] === homeNed[i]) continue;
      inputs.homeNed.set(homeNed);
      inputs.homeYawRad = this.homeYaw[0]!;
      inputs.homeCount += 1;
    }
    for (let i = 0; i < bus.batteryVoltage.length; i += 1) {
      inputs.batteryVolts[i] = bus.batteryVoltage[i]!;
      inputs.batteryAmps[i] = bus.batteryCurrent[i]!;
      inputs.batteryRemaining[i] = bus.batteryRemaining[i]!;
      inputs.batteryWarning[i] = bus.batteryWarning[i]!;
    }
  }

  private runLandDetector(clock: Clock, bus: View<"autopilot">): void {
    const { landInputs: inputs, hover } = this;
    const flags = controlFlags(this.commander.navState);
    inputs.armed = this.commander.armed;
    inputs.valid = this.vehicle.valid;
    inputs.throttle = flags.auto ? -bus.setThrustBody[2]! : 0;
    inputs.hoverThrustValid = this.hoverTopic !== undefined && hover.valid;
    inputs.hoverThrust = inputs.hoverThrustValid ? hover.hover : this.parameters.get("MPC_THR_HOVER");
    inputs.climbControlled = flags.climbRate;
    inputs.sinkSetpointMps = (bus.setpointValid[0]! & SETPOINT_BITS.velZ) !== 0 ? bus.setVelNed[2]! : Number.NaN;
    this.land.update(clock, inputs);
  }

  private runHoverThrust(clock: Clock, bus: View<"autopilot">): void {
    const topic = this.hoverTopic;
    if (topic === undefined) return;
    this.hoverInputs.thrustZ[0] = bus.setThrustBody[2]!;
    this.hoverInputs.unallocated.set(bus.unallocated);
    this.hover.update(clock, this.commander.armed, this.land.landed);
    const { message } = topic;
    message.setU64(message.at.timestamp, this.px4Us[0]!);
    message.setU64(message.at.timestamp_sample, this.px4Us[0]!);
    message.setF32(message.at.hover_thrust, this.hover.hover);
    message.setU8(message.at.valid, this.hover.valid ? 1 : 0);
    // PX4 reads the message at the next step, as if the estimator ran after the controllers.
    topic.publish();
  }

  private publishState(bus: View<"autopilot">, driver: LockstepDriver): void {
    const { commander, land, hover, navigator } = this;
    const { takeoffStatus } = driver;
    bus.armed[0] = commander.armed ? 1 : 0;
    bus.navState[0] = driver.inputs.navState;
    if (driver.positionRan && takeoffStatus.read())
      bus.takeoffState[0] = takeoffStatus.message.u8(takeoffStatus.message.at.takeoff_state);
    bus.landDetected[0] = land.stage;
    bus.missionIndex[0] = navigator.mission.current;
    bus.missionCount[0] = navigator.mission.count;
    bus.missionReached[0] = navigator.mission.reached;
    bus.missionFinished[0] = navigator.mission.finished ? 1 : 0;
    bus.failsafe[0] = commander.failsafe.cause;
    bus.hoverThrust[0] = this.landInputs.hoverThrustValid ? hover.hover : this.parameters.get("MPC_THR_HOVER");
  }
}

function ticksOfModules(rates: readonly RateReport[], tickUs: number): ModuleTicks {
  const ticks = (module: string) => rates.find((report) => report.module === module)!.realPeriodUs / tickUs;
  return {
    navigatorTicks: ticks("navigator"),
    positionTicks: ticks("position"),
    flightTaskTicks: ticks("flightTask"),
  };
}

function assertFreshProcess(): void {
  if (hasFlown) {
    throw lockstepErrors.handleInUse({
      what: "the PX4 library has already flown in this process",
      fix: "fly each flight in its own child process",
    });
  }
  hasFlown = true;
}
