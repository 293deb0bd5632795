/**
 * How the engine row grows: with simulated time, rotors, batteries and log rate.
 *
 * Cost is to be linear in time and about linear in what a vehicle has; a row's base is the smallest of its kind.
 */
import { forFlights, measure, type Effort, type Variant } from "../measure.ts";
import { flyNow } from "../../packages/core/src/engine/index.ts";
import { builtInVehicles } from "../../packages/core/src/flight/vehicles/index.ts";
import type { PlainObject } from "../../packages/core/src/params/index.ts";
import { keptCommands, scene, type SceneOptions } from "../scene.ts";
import { flights } from "./engine.ts";
import { inSteps } from "./kernel-steps.ts";
import type { Group, Reading, Row } from "./row.ts";

const SECONDS = 30;
/** As far as the pack of iris-reference lasts. */
const LONG_S = 180;

interface Case {
  readonly row: Row;
  readonly options: Partial<SceneOptions>;
}

function grown(name: string, base: string, options: Partial<SceneOptions>): Case {
  return {
    row: { name, about: "A boundary and its interval, otherwise as on the engine row.", unit: "ns", base },
    options,
  };
}

const [pack] = (builtInVehicles as Record<string, PlainObject>)["iris-reference"]!["batteries"] as PlainObject[];

/** The packs share the load of one, so that the flights are alike. */
function packs(count: number): PlainObject {
  const capacityAh = (pack!["capacityAh"] as number) / count;
  return { batteries: Array.from({ length: count }, () => ({ ...pack!, capacityAh })) };
}

/** Of each kind, the first is the base of the others. */
const KINDS: readonly (readonly Case[])[] = [
  ["iris", "hexa", "octa"].map((vehicle, i) =>
    grown(`${4 + 2 * i} rotors (${vehicle})`, "4 rotors (iris)", { vehicle }),
  ),
  [1, 2, 4].map((count) =>
    grown(`${count} ${count === 1 ? "battery" : "batteries"} on iris-reference`, "1 battery", {
      vehicleChanges: packs(count),
    }),
  ),
  [
    grown("no log", "no log", { without: ["log"] }),
    ...[50, 250, 1000].map((hz) => grown(`log into memory at ${hz} Hz`, "no log", { logUs: 1e6 / hz })),
  ],
];

const SHORT: Row = {
  name: "flight of 60 s",
  about: "A whole flight, a boundary of it.",
  unit: "ns",
  base: "flight of 60 s",
};
const LONG: Row = { ...SHORT, name: `flight of ${LONG_S} s` };

function measuredKind(cases: readonly Case[], effort: Effort): Reading[] {
  const seconds = effort.isQuick ? 2 : SECONDS;
  const variants = cases.map(({ row, options }) => {
    const { vehicle, vehicleChanges } = options;
    const commands = keptCommands({
      seconds,
      ...(vehicle === undefined ? {} : { vehicle }),
      ...(vehicleChanges === undefined ? {} : { vehicleChanges }),
    });
    return flights(row.name, { seconds, commands, ...options });
  });
  const measured = inSteps(variants, effort);
  return measured.map(({ ns, ratios }, i) => ({
    row: cases[i]!.row.name,
    value: ns,
    ratios: { ...ratios, base: ns / measured[0]!.ns },
  }));
}

function measuredTime(effort: Effort): Reading[] {
  const commands = keptCommands({ seconds: effort.isQuick ? 20 : LONG_S });
  const whole = (name: string, seconds: number): Variant => {
    let made: ReturnType<typeof scene>;
    return {
      name,
      guessNs: 1000,
      prepare: () => (made = scene({ seconds, commands })),
      run: () => flyNow(made.flight).boundaries,
    };
  };
  const [shortS, longS] = effort.isQuick ? [4, 20] : [60, LONG_S];
  const [short, long] = measure([whole(SHORT.name, shortS!), whole(LONG.name, longS!)], forFlights(effort));
  return [
    { row: SHORT.name, value: short!, ratios: { base: 1 } },
    { row: LONG.name, value: long!, ratios: { base: long! / short! } },
  ];
}

export const growth: Group = {
  name: "growth",
  rows: [SHORT, LONG, ...KINDS.flat().map(({ row }) => row)],
  measure: (effort) => [...measuredTime(effort), ...KINDS.flatMap((cases) => measuredKind(cases, effort))],
};
