/**
 * The simplest vehicle that a test can fly: it does not move and has real sensors. The scenario is a function of time.
 */
import { everyBoundary, sensorKinds, standstill, checkParams, StateLayout } from "@escapement/core";
import type {
  Clock,
  Diagnostic,
  FlightParts,
  Plant,
  ScenarioSource,
  SensorContext,
  SensorWriter,
  Source,
  View,
} from "@escapement/core";

const NUMBERS = { absolute: 1e-6, relative: 1e-6 };

const layout = new StateLayout([
  { name: "posNed", size: 3, unit: "m", kind: "vector", group: "position", tolerance: NUMBERS },
  { name: "velNed", size: 3, unit: "m/s", kind: "vector", group: "velocity", tolerance: NUMBERS },
  {
    name: "qBodyToNed",
    size: 4,
    unit: "1",
    kind: "attitude",
    group: "attitude",
    tolerance: NUMBERS,
    rateBlock: "rateBody",
  },
  { name: "rateBody", size: 3, unit: "rad/s", kind: "vector", group: "rate", tolerance: NUMBERS },
]);

const standingPlant: Plant = {
  layout,
  initialInto: (x) => {
    x.fill(0);
    x[layout.require("qBodyToNed", "test").offset] = 1;
  },
  derivativesInto: (dx) => void dx.fill(0),
  outputsInto: (y) => {
    y.specificForceBody[2] = -9.80665;
    y.batteryVoltage[0] = 16;
    y.batteryCurrent[0] = 2;
    y.batteryRemaining[0] = 0.8;
    y.airPressure[0] = 95_600;
  },
};

const sensorContext: SensorContext = {
  seed: 3,
  autopilotPeriodUs: 4000,
  startUs: 0,
  geodeticInto: (out, pos) => {
    out[0] = 47.397742 + pos[0]! / 111_195;
    out[1] = 8.545594 + pos[1]! / 75_269;
    out[2] = 488 - pos[2]!;
  },
  magneticFieldInto: (out) => void out.set([21.743, 1.294, 43.041]),
};

function sensors(): Source<SensorWriter>[] {
  return sensorKinds.slice(0, 4).map((kind) => {
    const diagnostics: Diagnostic[] = [];
    return kind.make(checkParams(kind.params, {}, diagnostics) as never, sensorContext);
  });
}

/** Returns the parts of a flight of the motionless vehicle with the given autopilot. */
export function standingFlight(options: {
  endS: number;
  autopilot: Source<"autopilot">;
  /** Sets the requests at a given time; called at every boundary. */
  request?: (tS: number, bus: View<"scenario">) => void;
}): FlightParts {
  const scenario: ScenarioSource = {
    writer: "scenario",
    axis: everyBoundary,
    update: (clock: Clock, bus: View<"scenario">) => options.request?.(clock.s, bus),
    save: () => {},
    load: () => {},
  };
  return {
    endUs: options.endS * 1e6,
    dims: { rotors: 4, batteries: 1, buses: 1 },
    plant: standingPlant,
    integrator: standstill,
    scenario,
    sensors: sensors(),
    autopilot: options.autopilot,
  };
}
