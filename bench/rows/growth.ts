/**
 * Measures the cost of the engine row as a function of simulated time, rotors, batteries and log rate.
 *
 * The cost should be linear in time and about linear in the number of rotors and batteries. A row's base is the
 * smallest case of its kind.
 */
import type { Effort } from "../measure.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import type { PlainObject } from "../../packages/core/src/params/index.ts";
import { recordedCommands, type SceneOptions } from "../scene.ts";
import { flights } from "./engine.ts";
import { measureWithRatios } from "./kernel-steps.ts";
import type { Group, Reading, Row } from "./row.ts";

const SECONDS = 30;

interface Case {
  readonly row: Row;
  readonly options: Partial<SceneOptions>;
}

function growthCase(name: string, base: string, options: Partial<SceneOptions>): Case {
  return {
    row: {
      name,
      about: "A boundary and its interval of the engine row, with the change that the row's name gives.",
      unit: "ns",
      base,
    },
    options,
  };
}

const [pack] = (builtInVehicles as Record<string, PlainObject>)["iris-reference"]!["batteries"] as PlainObject[];

/** Returns packs that together have the capacity of the vehicle's own pack, so that the flights are comparable. */
function packs(count: number): PlainObject {
  const capacityAh = (pack!["capacityAh"] as number) / count;
  return { batteries: Array.from({ length: count }, () => ({ ...pack!, capacityAh })) };
}

/** The first case of each kind is the base of the others. */
const KINDS: readonly (readonly Case[])[] = [
  ["iris", "hexa", "octa"].map((vehicle, i) =>
    growthCase(`${4 + 2 * i} rotors (${vehicle})`, "4 rotors (iris)", { vehicle }),
  ),
  [1, 2, 4].map((count) =>
    growthCase(`${count} ${count === 1 ? "battery" : "batteries"} on iris-reference`, "1 battery", {
      vehicleChanges: packs(count),
    }),
  ),
  [
    growthCase("no log", "no log", { without: ["log"] }),
    ...[50, 250, 1000].map((hz) => growthCase(`log into memory at ${hz} Hz`, "no log", { logUs: 1e6 / hz })),
  ],
];

/** Minutes of one flight; the pack of iris-reference is empty after the third. */
const MINUTES: readonly Row[] = ["first", "third"].map((which) => ({
  name: `${which} minute of a flight`,
  about: "A boundary and its interval of the engine row.",
  unit: "ns",
  base: "first minute",
}));

function measureKind(cases: readonly Case[], effort: Effort): Reading[] {
  const seconds = effort.isQuick ? 2 : SECONDS;
  const variants = cases.map(({ row, options }) => {
    const { vehicle, vehicleChanges } = options;
    const commands = recordedCommands({
      seconds,
      ...(vehicle === undefined ? {} : { vehicle }),
      ...(vehicleChanges === undefined ? {} : { vehicleChanges }),
    });
    return flights(row.name, { seconds, commands, ...options });
  });
  const measured = measureWithRatios(variants, effort);
  return measured.map(({ ns, ratios }, i) => ({
    row: cases[i]!.row.name,
    value: ns,
    ratios: { ...ratios, base: ns / measured[0]!.ns },
  }));
}

function measureTime(effort: Effort): Reading[] {
  const minuteS = effort.isQuick ? 2 : 60;
  const seconds = 3 * minuteS;
  const commands = recordedCommands({ seconds });
  const variants = [
    flights("first", { seconds: minuteS, commands }),
    flights("third", { seconds, commands }, { fromS: 2 * minuteS }),
  ];
  const measured = measureWithRatios(variants, effort);
  return measured.map(({ ns, ratios }, i) => ({
    row: MINUTES[i]!.name,
    value: ns,
    ratios: { ...ratios, base: ns / measured[0]!.ns },
  }));
}

export const growth: Group = {
  name: "growth",
  rows: [...MINUTES, ...KINDS.flat().map(({ row }) => row)],
  measure: (effort) => [...measureTime(effort), ...KINDS.flatMap((cases) => measureKind(cases, effort))],
};
