/** The plots of the validation page: our values as lines, published values as points. */
import { speedSweep } from "../../packages/core/src/analysis/index.ts";
import type { LinePlot } from "../../tools/line-plot.ts";
import { rig } from "../support/plant.ts";
import { irisCell, publishedCell } from "./battery.ts";
import { measuredIrisPower } from "./forward-flight.ts";
import { groundGain, irisPropeller, measuredPropeller, thrustInDescent } from "./vehicle.ts";

/** Plots by the name of their file in docs/pictures. */
export function validationPlots(): Readonly<Record<string, LinePlot>> {
  return {
    "validation-propeller-static": staticPropeller(),
    "validation-propeller-advance": advancingPropeller(),
    "validation-forward-flight": forwardFlight(),
    "validation-descent": descent(),
    "validation-ground": ground(),
    "validation-battery": battery(),
  };
}

const steps = (from: number, to: number, count = 40) =>
  Array.from({ length: count + 1 }, (_, k) => from + ((to - from) * k) / count);

function staticPropeller(): LinePlot {
  return {
    title: "Static thrust of the iris' propeller over rotor speed",
    x: "rotor speed, rpm",
    y: "C_T",
    series: [
      { name: "ours", kind: "line", at: steps(2300, 6600).map((rpm) => [rpm, irisPropeller(rpm, 0).ct]) },
      {
        name: "UIUC",
        kind: "points",
        at: measuredPropeller()
          .filter(({ advance }) => advance === 0)
          .map(({ rpm, ct }) => [rpm, ct]),
      },
    ],
  };
}

function advancingPropeller(): LinePlot {
  const points = (from: number, to: number) =>
    measuredPropeller()
      .filter(({ rpm, advance, ct }) => advance > 0 && ct > 0 && rpm > from && rpm < to)
      .map(({ advance, ct }) => [advance, ct] as const);
  const line = (rpm: number) => steps(0.08, 0.62).map((advance) => [advance, irisPropeller(rpm, advance).ct] as const);
  return {
    title: "Thrust of the iris' propeller in climb",
    x: "advance ratio J",
    y: "C_T",
    series: [
      { name: "ours, 6512 rpm", kind: "line", at: line(6512) },
      { name: "ours, 4014 rpm", kind: "line", at: line(4014) },
      { name: "UIUC, 4997 to 6512 rpm", kind: "points", at: points(4900, 7000) },
      { name: "UIUC, 4014 rpm", kind: "points", at: points(4000, 4900) },
    ],
  };
}

function forwardFlight(): LinePlot {
  const sweep = (name: string) => {
    const flights = speedSweep(rig(name).plant, { stepMps: 1, limitMps: 16 });
    return flights.map(({ speedMps, powerW }) => [speedMps, powerW / flights[0]!.powerW] as const);
  };
  return {
    title: "Power in level flight",
    x: "speed, m/s",
    y: "power relative to hover",
    series: [
      ...["iris", "x500", "octa"].map((name) => ({ name, kind: "line" as const, at: sweep(name) })),
      {
        name: "IRIS+ in flight tests",
        kind: "points",
        at: steps(0, 12, 8).map((speed) => [speed, measuredIrisPower(speed) / measuredIrisPower(0)]),
      },
    ],
  };
}

function descent(): LinePlot {
  return {
    title: "Thrust at constant rotor speed in descent",
    x: "rate of descent, in induced velocities in hover",
    y: "thrust relative to hover",
    series: [
      { name: "ours", kind: "line", at: steps(0, 1.8).map((sink) => [sink, thrustInDescent(sink)]) },
      {
        name: "APC 10×5",
        kind: "points",
        at: [
          [0.785, 0.913],
          [1.24, 0.87],
          [1.735, 1.217],
        ],
      },
      {
        name: "APC 10×7 (held out)",
        kind: "points",
        at: [
          [0.774, 0.981],
          [1.238, 0.914],
          [1.741, 1.143],
        ],
      },
    ],
  };
}

function ground(): LinePlot {
  const line = (model: "rotor" | "multirotor") =>
    steps(0.6, 6, 30).map((radii) => [radii, groundGain(model, radii)] as const);
  return {
    title: "Thrust of the x500 near the ground at constant induced power",
    x: "height of the rotors, radii",
    y: "thrust relative to thrust far from the ground",
    series: [
      { name: "all rotors and fountain", kind: "line", at: line("multirotor") },
      { name: "each rotor alone", kind: "line", at: line("rotor") },
    ],
  };
}

function battery(): LinePlot {
  const line = (rate: number) => steps(0.05, 1).map((soc) => [soc, irisCell(soc, rate)] as const);
  const points = (rate: number) => steps(0.05, 1, 12).map((soc) => [soc, publishedCell(soc, rate)] as const);
  return {
    title: "Voltage of a cell of the iris without leads",
    x: "state of charge",
    y: "V",
    series: [
      { name: "ours, 1 C", kind: "line", at: line(1) },
      { name: "ours, 3 C", kind: "line", at: line(3) },
      { name: "average of model packs, 1 C", kind: "points", at: points(1) },
      { name: "average of model packs, 3 C", kind: "points", at: points(3) },
    ],
  };
}
