/** Tests the land detector's stages, their times, and everything that prevents it from reporting a landing. */
import { describe, expect, it } from "vitest";
import { FlightClock } from "../../time/index.ts";
import { SIGNALS } from "../../signals/table.ts";
import { LandDetector, type LandDetectorInputs } from "./land-detector.ts";

const VALID = SIGNALS.estValid.values;
const ALL_VALID = SIGNALS.estValid.initial;
const settings = { triggerS: 1, speedZMaxMps: 0.25, speedXyMaxMps: 1.5, rateMaxDegps: 20, thrustMin: 0.12 };

function flyingDetector() {
  const detector = new LandDetector(settings);
  const inputs: { -readonly [K in keyof LandDetectorInputs]: LandDetectorInputs[K] } = {
    armed: true,
    throttle: 0.5,
    hoverThrust: 0.5,
    hoverThrustValid: true,
    sinkSetpointMps: 0.7,
    climbControlled: true,
    velNed: Float64Array.of(0, 0, 0.7),
    accNed: new Float64Array(3),
    rateBody: new Float64Array(3),
    valid: ALL_VALID,
  };
  const clock = new FlightClock();
  const run = (seconds: number) => {
    for (let i = 0; i < Math.round(seconds / 0.02); i += 1) {
      clock.set(clock.us + 20000);
      detector.update(clock, inputs);
    }
    return detector.stage;
  };
  run(0.1);
  return { detector, inputs, run, clock };
}

describe("land detector", () => {
  it("reports landed at the start and while disarmed, and in the air as soon as the vehicle flies", () => {
    const detector = new LandDetector(settings);
    expect(detector.stage).toBe(3);
    expect(flyingDetector().detector.stage).toBe(0);
  });

  it("passes its three stages, a third of a second each, once the vehicle rests on the ground", () => {
    const { inputs, run } = flyingDetector();
    inputs.velNed = new Float64Array(3);
    inputs.throttle = 0.3;
    expect(run(0.3)).toBe(0);
    expect(run(0.1)).toBe(1);
    expect(run(2)).toBe(1);
    inputs.throttle = 0.12;
    expect(run(0.3)).toBe(1);
    expect(run(0.1)).toBe(2);
    expect(run(0.24)).toBe(2);
    expect(run(0.1)).toBe(3);
    inputs.throttle = 0.5;
    expect(run(0.02)).toBe(0);
  });

  it.each([
    ["throttle", { throttle: 0.4 }],
    ["no descent", { sinkSetpointMps: 0.2 }],
    ["no setpoint", { sinkSetpointMps: NaN }],
    ["vertical motion", { velNed: [0, 0, 0.3] }],
    ["drift", { velNed: [2, 0, 0] }],
  ])("detects no contact with %s", (_, change) => {
    const { inputs, run } = flyingDetector();
    Object.assign(inputs, { velNed: new Float64Array(3), throttle: 0.2 }, change);
    expect(run(2)).toBe(0);
  });

  it.each([
    ["turning", { rateBody: [0.5, 0, 0] }],
    ["falling", { accNed: [0, 0, 9.5] }],
  ])("does not report landed while %s", (_, change) => {
    const { inputs, run } = flyingDetector();
    Object.assign(inputs, { velNed: new Float64Array(3), throttle: 0.12 }, change);
    expect(run(3)).toBe(1);
  });

  it("uses a lower throttle limit without an estimated hover thrust", () => {
    const { inputs, run } = flyingDetector();
    // A descent keeps the validity with which it began, so the estimate must become invalid before the descent.
    Object.assign(inputs, { hoverThrustValid: false, sinkSetpointMps: 0 });
    run(2);
    Object.assign(inputs, { velNed: new Float64Array(3), throttle: 0.3, sinkSetpointMps: 0.7 });
    expect(run(2)).toBe(0);
    inputs.throttle = 0.23;
    expect(run(0.5)).toBe(1);
  });

  it("assumes no horizontal motion if it is unknown, but assumes vertical motion if that is unknown", () => {
    const sideways = flyingDetector();
    sideways.inputs.throttle = 0.12;
    sideways.inputs.velNed = Float64Array.of(5, 0, 0);
    expect(sideways.run(2)).toBe(0);
    sideways.inputs.valid = ALL_VALID - VALID.velXy;
    expect(sideways.run(2)).toBe(3);

    const climbUnknown = flyingDetector();
    climbUnknown.inputs.throttle = 0.12;
    climbUnknown.inputs.velNed = new Float64Array(3);
    climbUnknown.inputs.valid = ALL_VALID - VALID.velZ;
    expect(climbUnknown.run(7.9)).toBe(0);
    expect(climbUnknown.run(1)).toBe(3);
  });
});
