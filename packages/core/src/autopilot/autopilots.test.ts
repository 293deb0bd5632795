/** Tests that autopilot kinds and a custom controller are built and saved, and that invalid settings are rejected. */
import { describe, expect, it } from "vitest";
import { Bus } from "../engine/bus.ts";
import { checkParams, type Diagnostic } from "../params/index.ts";
import { Snapshot } from "../snapshot/index.ts";
import { FlightClock } from "../time/index.ts";
import {
  autopilotKinds,
  controllerSource,
  type AutopilotContext,
  type Controller,
  type EmbeddedAutopilot,
} from "./index.ts";

const rotors = [
  { posBody: [0.2, 0.2, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 3 },
  { posBody: [-0.2, -0.2, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 1 },
  { posBody: [0.2, -0.2, 0], axisBody: [0, 0, -1], torqueRatioM: -0.05, channel: 0 },
  { posBody: [-0.2, 0.2, 0], axisBody: [0, 0, -1], torqueRatioM: -0.05, channel: 2 },
];
const context: AutopilotContext = { periodUs: 4000, rotors, origin: { latDeg: 47, lonDeg: 8, altM: 400 } };
const newBus = () => new Bus({ rotors: 4, batteries: 1, buses: 1 }, undefined as never);

function make(name: string, given: Record<string, unknown> = {}, around: AutopilotContext = context) {
  const kind = autopilotKinds.find((candidate) => candidate.name === name)!;
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(kind.params, given, diagnostics);
  expect(diagnostics).toEqual([]);
  return kind.make(params as never, around);
}

describe("autopilot kinds", () => {
  it("have unique names and descriptions, and build with their defaults", () => {
    const names = autopilotKinds.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const clock = new FlightClock();
    for (const { name, about } of autopilotKinds) {
      expect(about).toMatch(/\.$/);
      const source = make(name);
      const bus = newBus();
      source.update(clock, bus.view("autopilot"));
      expect(source.writer).toBe("autopilot");
      const again = make(name);
      Snapshot.of(source).into(again);
      expect(Snapshot.of(again)).toEqual(Snapshot.of(source));
    }
  });

  it("fixed-command commands the vehicle's rotors on their channels, while armed", () => {
    const source = make("fixed-command", { motorDuty: [0.1, 0.2, 0.3, 0.4], servoCommand: [-0.5] });
    const bus = newBus();
    source.update(new FlightClock(), bus.view("autopilot"));
    expect(bus.signal("motorCommand")[3]).toBe(0);
    bus.signal("requestArmed")[0] = 1;
    source.update(new FlightClock(), bus.view("autopilot"));
    expect(Array.from(bus.signal("motorCommand").subarray(0, 5))).toEqual([0.3, 0.2, 0.4, 0.1, 0]);
    expect(bus.signal("servoCommand")[0]).toBe(-0.5);
    expect(() => make("fixed-command", { motorDuty: [0.1, 0.2] })).toThrow(/4 rotors/);
  });

  it("embedded rejects rotors that share a channel, and periods that are not multiples of the tick", () => {
    const shared = rotors.map((rotor) => ({ ...rotor, channel: 0 }));
    expect(() => make("embedded", {}, { ...context, rotors: shared })).toThrow(/AUTOPILOT-004/);
    expect(() => make("embedded", {}, { ...context, rotors: [] })).toThrow(/no rotors/);
    expect(() => make("embedded", { positionPeriodS: 0.01 })).toThrow(/AUTOPILOT-003/);
    expect(() => make("embedded", {}, { ...context, parameters: { MPC_XY_CRUZE: 1 } })).toThrow(/MPC_XY_CRUISE/);
    const changes = [{ name: "NOT_A_PARAMETER_AT_ALL", value: 1, bit: 1 }];
    expect(() => make("embedded", {}, { ...context, parameterChanges: changes })).toThrow(/AUTOPILOT-001/);
    const count = [{ name: "CA_ROTOR_COUNT", value: 3, bit: 1 }];
    expect(() => make("embedded", {}, { ...context, parameterChanges: count })).toThrow(/cannot change in flight/);
  });

  it('embedded on the schedule "px4-library" has a hover-thrust estimator only on request, like PX4\'s library', () => {
    const uses = (parameters?: Record<string, number>) => {
      const around = parameters === undefined ? context : { ...context, parameters };
      const source = make("embedded", { schedule: "px4-library" }, around) as unknown as EmbeddedAutopilot;
      return source.parameters.get("MPC_USE_HTE");
    };
    expect(uses()).toBe(0);
    expect(uses({ MPC_USE_HTE: 1 })).toBe(1);
  });

  it("embedded takes its phases from the schedule or from the user", () => {
    const source = make("embedded", { schedule: "px4-library", navigatorPhaseTicks: 4 }) as unknown as {
      schedule: Record<string, { phase: number }>;
    };
    expect(source.schedule["navigator"]!.phase).toBe(4);
    expect(source.schedule["position"]!.phase).toBe(1);
  });
});

describe("a custom controller", () => {
  it("flies with one method, and a checkpoint contains its memory", () => {
    const climb: Controller & { memory: Float64Array } = {
      memory: new Float64Array(1),
      update(_, bus) {
        const error = bus.estPosNed[2]! + 5;
        this.memory[0]! += error * 0.004;
        const duty = 0.5 + 0.1 * error + 0.02 * this.memory[0]! + 0.15 * bus.estVelNed[2]!;
        bus.motorCommand.fill(Math.min(Math.max(duty, 0), 1), 0, 4);
      },
    };
    const source = controllerSource(climb, { periodUs: 4000 });
    const bus = newBus();
    let height = 0;
    let speed = 0;
    for (let i = 0; i < 10000; i += 1) {
      bus.signal("estPosNed")[2] = -height;
      bus.signal("estVelNed")[2] = -speed;
      source.update(new FlightClock(), bus.view("autopilot"));
      speed += (2 * bus.signal("motorCommand")[0]! - 1) * 9.80665 * 0.004;
      height += speed * 0.004;
    }
    expect(height).toBeCloseTo(5, 1);
    const saved = Snapshot.of(source);
    const memory = climb.memory[0]!;
    climb.memory[0] = 0;
    saved.into(source);
    expect(climb.memory[0]).toBe(memory);
  });
});
