/** Prints steady flight and linear models: tables for people, scripts for MATLAB and Python. */
import type { LinearModel, SteadyFlight, Trim, Vehicle } from "@escapement/core";
import type { Style } from "./style.ts";
import { table } from "./table.ts";

const DEG = 180 / Math.PI;
const RPM = 30 / Math.PI;

/** The content of the table that `trim` prints. */
interface TrimTable {
  /** Name of the vehicle. */
  readonly name: string;
  readonly vehicle: Vehicle;
  readonly hover: Trim;
  readonly flights: readonly SteadyFlight[];
  /** Speed step. Set if the table ends because there is no steady flight at the next speed. */
  readonly stepMps?: number;
}

export function trimText({ name, vehicle, hover, flights, stepMps }: TrimTable, style: Style): string {
  const { altitudeM, soc } = flights[0]!;
  const hasPower = flights.some(({ powerW }) => powerW > 0);
  const head =
    `${style.strong(name)}  ${vehicle.massKg} kg, ${vehicle.rotors.length} rotors, ` +
    `${altitudeM.toFixed(0)} m above sea level${hasPower ? `, batteries at ${Math.round(100 * soc)} %` : ""}`;
  const hasClimb = flights.some(({ climbMps }) => climbMps !== 0);
  const rows = flights.map((flight) => flightRow(flight, hasPower, hasClimb));
  const titles = ["speed m/s", ...(hasClimb ? ["climb m/s"] : []), "pitch deg", "duty"];
  if (hasPower) titles.push("rpm", "power W", "minutes", "range km");
  const full = `  full duty lifts ${hover.full.thrustToWeight.toFixed(2)} times the weight`;
  const notes = [full, ...topLines(flights, stepMps), ...(hasPower ? [...bestLines(flights), ...ENDURANCE_NOTE] : [])];
  return [head, "", table(titles, rows, style), "", ...notes].join("\n");
}

/** Explains the column `minutes`. */
const ENDURANCE_NOTE = [
  "  minutes: from full charge to the critical level of the first battery, or until",
  "  the batteries can no longer supply the power above their cut-off voltage",
];

function flightRow(flight: SteadyFlight, hasPower: boolean, hasClimb: boolean): string[] {
  const { speedMps, climbMps, pitchRad, rotors, powerW, enduranceS, rangeM } = flight;
  const duties = rangeText(
    rotors.map(({ duty }) => duty),
    3,
  );
  const pitchDeg = (DEG * pitchRad).toFixed(1);
  const climb = hasClimb ? [climbMps.toFixed(1)] : [];
  const row = [speedMps.toFixed(1), ...climb, pitchDeg === "-0.0" ? "0.0" : pitchDeg, duties];
  if (!hasPower) return row;
  const rpm = rangeText(
    rotors.map(({ speedRadS }) => RPM * speedRadS),
    0,
  );
  const range = speedMps === 0 ? "" : (rangeM / 1000).toFixed(1);
  return [...row, rpm, powerW.toFixed(0), (enduranceS / 60).toFixed(1), range];
}

/** Returns the common value of all rotors, or the smallest and the largest one. */
function rangeText(values: readonly number[], digits: number): string {
  const [low, high] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)];
  return low === high ? low : `${low}–${high}`;
}

function topLines(flights: readonly SteadyFlight[], stepMps: number | undefined): string[] {
  if (stepMps === undefined) return [];
  const { speedMps } = flights.at(-1)!;
  return [`  top speed between ${speedMps} and ${speedMps + stepMps} m/s`];
}

function bestLines(flights: readonly SteadyFlight[]): string[] {
  if (flights.length < 3) return [];
  const best = (value: (flight: SteadyFlight) => number) =>
    flights.reduce((before, flight) => (value(flight) > value(before) ? flight : before));
  const longest = best(({ enduranceS }) => enduranceS);
  const farthest = best(({ rangeM }) => rangeM);
  return [`  longest endurance near ${longest.speedMps} m/s, longest range near ${farthest.speedMps} m/s`];
}

export function linearText({ flight, derivatives, modes, states }: LinearModel, style: Style): string {
  const at = flight.speedMps === 0 ? "hover" : `${flight.speedMps} m/s`;
  const { Xu, Yv, Zw, Lv, Mu, Lp, Mq, Nr } = derivatives;
  const number = (value: number) => value.toPrecision(4);
  const modeRows = modes.map((mode) => {
    const { eigenvalue, count, frequencyRadS, damping, timeConstantS } = mode;
    const { re, im } = eigenvalue;
    return [
      im === 0 ? number(re) : `${number(re)} ± ${number(im)}i`,
      count === 1 ? "" : `× ${count}`,
      im === 0 ? "" : number(frequencyRadS),
      im === 0 ? "" : damping.toFixed(2),
      Number.isFinite(timeConstantS)
        ? `${number(Math.abs(timeConstantS))}${timeConstantS < 0 ? " grows" : ""}`
        : "integrator",
      // The states of all rotors have one name.
      [...new Set(mode.states.slice(0, 4).map(({ name }) => name.replace(/\.\d+$/, "")))].join(" "),
    ];
  });
  return [
    `${style.strong(`Linear model at ${at}`)}  ${states.length} states; rotor speeds held for the derivatives`,
    "",
    `  X_u ${number(Xu)}  Y_v ${number(Yv)}  Z_w ${number(Zw)}  1/s`,
    `  M_u ${number(Mu)}  L_v ${number(Lv)}  rad/(m s)`,
    `  L_p ${number(Lp)}  M_q ${number(Mq)}  N_r ${number(Nr)}  1/s`,
    "",
    table(["eigenvalue 1/s", "", "rad/s", "damping", "time constant s", "states"], modeRows, style, [5]),
    "",
    style.quiet("  A, B, C, D: --json, --as matlab or --as python"),
  ].join("\n");
}

/** Returns a script that defines the matrices, the names and the operating point. */
export function matrixScript(model: LinearModel, vehicle: string, language: "matlab" | "python"): string {
  const isPython = language === "python";
  const comment = isPython ? "#" : "%";
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => `"${name}"`).join(", ");
  const assign = (name: string, value: string) => (isPython ? `${name} = ${value}\n` : `${name} = ${value};\n`);
  const list = (value: string) => `[${value}]`;
  const matrix = (rows: readonly (readonly number[])[]) =>
    isPython
      ? `np.array([\n${rows.map((row) => `    [${row.join(", ")}],\n`).join("")}])`
      : `[\n${rows.map((row) => `    ${row.join(", ")}\n`).join("")}]`;
  const { flight, A, B, C, D } = model;
  return [
    `${comment} Linear model of ${vehicle} at ${flight.speedMps} m/s, climb ${flight.climbMps} m/s, made by Escapement.\n`,
    `${comment} Deviations from the operating point: x' = A x + B u, y = C x + D u. Units are SI; angles in rad.\n`,
    isPython ? "import numpy as np\n\n" : "\n",
    assign("states", list(names(model.states))),
    assign("inputs", list(names(model.inputs))),
    assign("outputs", list(names(model.outputs))),
    assign("x0", isPython ? `np.array([${model.state.join(", ")}])` : `[${model.state.join("; ")}]`),
    assign("u0", isPython ? `np.array([${model.input.join(", ")}])` : `[${model.input.join("; ")}]`),
    ...Object.entries({ A, B, C, D }).map(([name, rows]) => assign(name, matrix(rows))),
  ].join("");
}
