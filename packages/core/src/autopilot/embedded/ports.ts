/**
 * The arrays behind the signals that the autopilot reads and writes, looked up once per flight.
 *
 * The bus never moves its arrays, and looking up about sixty signals by name at every tick would cost more than all
 * control laws together.
 */
import type { Readable, View } from "../../engine/contracts.ts";

export class Ports {
  readonly bus: View<"autopilot">;
  readonly estPosNed: Readable;
  readonly estVelNed: Readable;
  readonly estAccNed: Readable;
  readonly estQBodyToNed: Readable;
  readonly estRateBody: Readable;
  readonly estRateDotBody: Readable;
  readonly batteryRemaining: Readable;
  readonly requestArmed: Readable;
  readonly requestMode: Readable;
  readonly requestCount: Readable;
  readonly parameterChanges: Readable;
  readonly motorCommand: Float64Array;
  readonly setpointValid: Float64Array;
  readonly setPosNed: Float64Array;
  readonly setVelNed: Float64Array;
  readonly setAccNed: Float64Array;
  readonly setYaw: Float64Array;
  readonly setYawRate: Float64Array;
  readonly setQBodyToNed: Float64Array;
  readonly setRateBody: Float64Array;
  readonly setThrustBody: Float64Array;
  readonly setTorqueBody: Float64Array;
  readonly unallocated: Float64Array;
  readonly armed: Float64Array;
  readonly navState: Float64Array;
  readonly takeoffState: Float64Array;
  readonly landDetected: Float64Array;
  readonly missionIndex: Float64Array;
  readonly missionCount: Float64Array;
  readonly missionReached: Float64Array;
  readonly missionFinished: Float64Array;
  readonly failsafe: Float64Array;
  readonly hoverThrust: Float64Array;

  constructor(bus: View<"autopilot">) {
    this.bus = bus;
    this.estPosNed = bus.estPosNed;
    this.estVelNed = bus.estVelNed;
    this.estAccNed = bus.estAccNed;
    this.estQBodyToNed = bus.estQBodyToNed;
    this.estRateBody = bus.estRateBody;
    this.estRateDotBody = bus.estRateDotBody;
    this.batteryRemaining = bus.batteryRemaining;
    this.requestArmed = bus.requestArmed;
    this.requestMode = bus.requestMode;
    this.requestCount = bus.requestCount;
    this.parameterChanges = bus.parameterChanges;
    this.motorCommand = bus.motorCommand;
    this.setpointValid = bus.setpointValid;
    this.setPosNed = bus.setPosNed;
    this.setVelNed = bus.setVelNed;
    this.setAccNed = bus.setAccNed;
    this.setYaw = bus.setYaw;
    this.setYawRate = bus.setYawRate;
    this.setQBodyToNed = bus.setQBodyToNed;
    this.setRateBody = bus.setRateBody;
    this.setThrustBody = bus.setThrustBody;
    this.setTorqueBody = bus.setTorqueBody;
    this.unallocated = bus.unallocated;
    this.armed = bus.armed;
    this.navState = bus.navState;
    this.takeoffState = bus.takeoffState;
    this.landDetected = bus.landDetected;
    this.missionIndex = bus.missionIndex;
    this.missionCount = bus.missionCount;
    this.missionReached = bus.missionReached;
    this.missionFinished = bus.missionFinished;
    this.failsafe = bus.failsafe;
    this.hoverThrust = bus.hoverThrust;
  }
}
