/**
 * The types forbid writing another writer's signal, reading truth without permission, and any write by a probe.
 *
 * The functions below are never called. The type check fails if a line under `@ts-expect-error` compiles.
 */
import { describe, expect, expectTypeOf, it } from "vitest";
import * as engine from "./index.ts";
import {
  type Probe,
  type Readable,
  type ReadonlyView,
  SIGNAL_NAMES,
  signalSpec,
  SIGNALS,
  type Source,
  type View,
  type Writer,
  WRITERS,
} from "./index.ts";

function windMayNot(bus: View<"wind">): void {
  bus.windBaseNed[0] = 1;
  // @ts-expect-error only the scenario writes the gust
  bus.windGustNed[0] = 1;
  // @ts-expect-error only the engine writes the sum
  bus.windNed[0] = 1;
  // @ts-expect-error signals are filled, never replaced
  bus.windBaseNed = new Float64Array(3);
  // @ts-expect-error truth is read-only
  bus.truth.block("posNed", "wind")[0] = 1;
}

function autopilotMayNot(bus: View<"autopilot">): void {
  bus.motorCommand[0] = bus.estPosNed[0]!;
  // @ts-expect-error only the estimator writes the estimate
  bus.estPosNed[0] = 1;
  // @ts-expect-error the autopilot must not read the true state
  void bus.truth;
  // @ts-expect-error the autopilot must not read the total wind
  void bus.windNed;
  // @ts-expect-error the autopilot must not read outputs that nothing on board measures
  void bus.rotorThrust;
  // @ts-expect-error the autopilot must not read the scenario's faults
  void bus.motorGain;
  // @ts-expect-error the autopilot must not read the true ground contact
  void bus.landed;
}

function scenarioMay(bus: View<"scenario">): void {
  bus.stop[0] = bus.truth.block("posNed", "scenario")[2]! > 0 ? 1 : 0;
  void bus.rotorThrust[0];
  // @ts-expect-error only the autopilot writes the command
  bus.motorCommand[0] = 0;
}

function sensorMay(bus: View<"imu">): void {
  bus.gyroRateBody[0] = bus.truth.block("rateBody", "imu")[0]! + bus.rateDotBody[0]!;
  // @ts-expect-error each sensor writes its own signals
  bus.baroPressure[0] = 1;
}

function outputsMay(bus: View<"outputs">): void {
  bus.batteryVoltage[0] = 12;
  // @ts-expect-error outputs must not write commands
  bus.motorCommand[0] = 1;
}

function probeMayNot(bus: ReadonlyView): void {
  void bus.windNed[0];
  // @ts-expect-error probes read only
  bus.windNed[0] = 1;
  // @ts-expect-error commands are read-only for probes too
  bus.motorCommand[0] = 1;
}

// @ts-expect-error a source whose update needs a wider view is not assignable to its writer's source
const tooWide: Source<"autopilot">["update"] = (_clock, bus: View<"scenario">) => void bus.truth;

const meddlingProbe: Probe = {
  observe: (_clock, bus) => {
    // @ts-expect-error probes must not write through the contract either
    bus.estPosNed.fill(0);
  },
};

describe("views", () => {
  it("[L5.1] [L5.3] [L5.4] are checked by the compiler: the functions above type-check only as written", () => {
    const never = [
      windMayNot,
      autopilotMayNot,
      scenarioMay,
      sensorMay,
      outputsMay,
      probeMayNot,
      tooWide,
      meddlingProbe.observe,
    ];
    expect(never.every((each) => typeof each === "function")).toBe(true);
    expectTypeOf<View<"wind">["windGustNed"]>().toEqualTypeOf<Readable>();
    expectTypeOf<View<"wind">["windBaseNed"]>().toEqualTypeOf<Float64Array>();
    expectTypeOf<"truth" extends keyof View<"autopilot"> ? true : false>().toEqualTypeOf<false>();
    expectTypeOf<"truth" extends keyof View<"estimator"> ? true : false>().toEqualTypeOf<true>();
  });

  it("[L5.1] every signal has one of the table's writers, and as many finite initial values and names as components", () => {
    for (const name of SIGNAL_NAMES) {
      const { writer, size, initial, about, components } = signalSpec(name);
      expect(WRITERS).toContain(writer);
      expect(about).toMatch(/^[A-Z0-9−].*[.…]$/s);
      const values = typeof initial === "number" ? [initial] : initial;
      expect(values.every(Number.isFinite)).toBe(true);
      if (typeof initial !== "number") expect(initial).toHaveLength(size as number);
      if (components !== undefined && typeof size === "number") expect(components).toHaveLength(size);
    }
  });

  it("[L5.1] signals of a writer are contiguous in the bus, in table order, without gaps", () => {
    const layout = new engine.BusLayout({ rotors: 4, batteries: 2, buses: 3, sticks: 4 });
    let offset = 0;
    for (const writer of WRITERS) {
      expect(layout.ranges[writer][0]).toBe(offset);
      const own = SIGNAL_NAMES.filter((name) => SIGNALS[name].writer === writer);
      for (const name of own) {
        expect(layout.find(name).offset).toBe(offset);
        offset += layout.find(name).size;
      }
      expect(layout.ranges[writer][0] + layout.ranges[writer][1]).toBe(offset);
    }
    expect(layout.size).toBe(offset);
  });

  it("[L5.1] the engine's index does not export the whole bus", () => {
    expect(Object.keys(engine)).not.toContain("Bus");
  });

  it("[L5.3] of the plant's outputs, the autopilot sees only the measurements of the batteries", () => {
    const seen = SIGNAL_NAMES.filter(
      (name) => signalSpec(name).writer === ("outputs" satisfies Writer) && signalSpec(name).truth !== true,
    );
    expect(seen).toEqual(["batteryVoltage", "batteryCurrent", "batteryRemaining", "batteryWarning"]);
  });
});
