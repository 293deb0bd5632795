/** `escapement trim`: prints the steady flight of a vehicle, from hover to its top speed, and its linear model. */
import { type Command, Option } from "commander";
import {
  buildPlant,
  linearise,
  type LinearModel,
  mustResolve,
  speedSweep,
  steadyFlight,
  type SteadyOptions,
} from "@escapement/core";
import { FlightFiles } from "../load/flight-files.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { linearText, matrixScript, trimText } from "../print/trim.ts";
import { styleFor } from "../print/style.ts";
import { registry } from "../registry.ts";
import { numberOf } from "./number-flags.ts";
import { collect, WITH_FLAG } from "./options.ts";

interface TrimFlags {
  readonly speed: readonly string[];
  readonly climb?: string;
  readonly altitude?: string;
  readonly soc?: string;
  readonly linearise?: true;
  readonly as?: "matlab" | "python";
  readonly set: readonly string[];
  readonly with: readonly string[];
  readonly json?: true;
}

/** Default speeds of the table: steps up to the top speed, or up to `limitMps` if that is lower. */
const SWEEP = { stepMps: 2, limitMps: 40 };

export function addTrim(program: Command): void {
  program
    .command("trim")
    .description("show hover and steady flight of a vehicle, and its linear model")
    .argument("[flight]", "a built-in flight or vehicle, a .toml or .json file, or a recording (.mcap)", "mission")
    .option(
      "--speed <m/s>",
      "airspeed, straight ahead (repeatable; default: steps from hover to the top speed)",
      collect,
      [],
    )
    .option("--climb <m/s>", "rate of climb; negative: descent")
    .option("--altitude <m>", "above sea level; default: 50 m above the flight's origin")
    .option("--soc <0..1>", "state of charge of all batteries; default: 1")
    .option("--linearise", "print only the linear model at the first speed: stability derivatives and modes")
    .addOption(
      new Option("--as <language>", "print the linear model as a script with A, B, C and D").choices([
        "matlab",
        "python",
      ]),
    )
    .option("--set <key=value>", "override a value of the description (repeatable)", collect, [])
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print as JSON, with A, B, C and D if --linearise is given")
    .addHelpText(
      "after",
      "\nThe linear model has body velocities u v w, Euler angles and rates p q r; inputs are the motors' duties and\n" +
        "the wind. Battery states are held.\n" +
        "\nExamples:\n  escapement trim\n  escapement trim x500 --speed 0 --speed 10\n" +
        "  escapement trim iris --linearise\n  escapement trim iris --speed 8 --as python > iris_8mps.py",
    )
    .action((name: string, flags: TrimFlags) => runTrim(name, flags));
}

async function runTrim(name: string, flags: TrimFlags): Promise<void> {
  const files = new FlightFiles(await withCustomParts(registry, flags.with));
  const resolution = await files.resolve({ name, assignments: parseOverrides(flags.set) });
  const { definition, settings } = mustResolve(resolution);
  const plant = resolution.plant ?? buildPlant(definition, registry);
  const options: Omit<SteadyOptions, "speedMps"> = {
    ...numberFlag("climbMps", "--climb", flags.climb, -100, 100),
    ...numberFlag("altitudeM", "--altitude", flags.altitude, -500, 20_000),
    ...numberFlag("soc", "--soc", flags.soc, 0, 1),
  };
  const speeds = flags.speed.map((text) => numberOf("--speed", text, 0, 200));
  const needsModel = flags.linearise === true || flags.as !== undefined;
  const model = needsModel ? linearise(plant, { ...options, speedMps: speeds[0] ?? 0 }) : undefined;
  if (flags.as !== undefined) {
    process.stdout.write(matrixScript(model as LinearModel, name, flags.as));
    return;
  }
  const style = styleFor(process.stdout, process.env);
  if (model !== undefined && flags.json !== true) {
    process.stdout.write(`${linearText(model, style)}\n`);
    return;
  }
  const isSweep = speeds.length === 0 && flags.climb === undefined;
  const flights = isSweep
    ? speedSweep(plant, { ...options, ...SWEEP })
    : (speeds.length > 0 ? speeds : [0]).map((speedMps) => steadyFlight(plant, { ...options, speedMps }));
  const hover = plant.trim({ altitudeM: flights[0]!.altitudeM, soc: flights[0]!.soc });
  if (flags.json === true) {
    const { thrustToWeight } = hover.full;
    const json = { vehicle: name, massKg: plant.vehicle.massKg, thrustToWeight, flights, model };
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
    return;
  }
  const hasTop = isSweep && flights.at(-1)!.speedMps + SWEEP.stepMps <= SWEEP.limitMps;
  const table = { name: settings.vehicle, vehicle: plant.vehicle, hover, flights };
  process.stdout.write(`${trimText(hasTop ? { ...table, stepMps: SWEEP.stepMps } : table, style)}\n`);
}

function numberFlag<K extends string>(
  key: K,
  flag: string,
  text: string | undefined,
  low: number,
  high: number,
): { [key in K]?: number } {
  return (text === undefined ? {} : { [key]: numberOf(flag, text, low, high) }) as { [key in K]?: number };
}
