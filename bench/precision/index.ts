/**
 * `npm run bench -- precision [vehicle …]`: measures cost and precision of each integrator. The choice of the default
 * integrator is based on these numbers.
 *
 * One fresh process per vehicle. With `--write` the numbers go to bench/results/precision, the tables into
 * docs/benchmarks.md and the diagram of the first vehicle into docs/pictures.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.ts";
import { commit, type Machine, machine } from "../machine.ts";
import { runJson } from "../run-json.ts";
import { withFolder } from "../suite.ts";
import { diagram } from "./diagram.ts";
import type { PrecisionPoint } from "./points.ts";

export const PRECISION_RESULTS = "bench/results/precision";
const PICTURE = "docs/pictures/work-precision.svg";
const VEHICLES = ["iris", "x500", "hexa", "octa"];
const ROUNDS = 3;

export interface PrecisionResults {
  readonly machine: Machine;
  readonly commit: string;
  readonly vehicles: Readonly<Record<string, readonly PrecisionPoint[]>>;
}

/** Formats a table per vehicle. Times are relative to the first point. */
export function precisionTables({ machine: on, commit: built, vehicles }: PrecisionResults): string {
  const tables = Object.entries(vehicles).map(([vehicle, points]) =>
    [
      `**${vehicle}**`,
      "",
      "| integrator | setting | evaluations per s | time | air: position | attitude | ground: position | attitude |",
      "|---|---|---:|---:|---:|---:|---:|---:|",
      ...points.map((point) => pointLine(point, points[0]!)),
    ].join("\n"),
  );
  return [`${on.cpu}, ${on.cores} cores, Node ${on.node}; commit ${built}.`, ...tables].join("\n\n");
}

function pointLine(point: PrecisionPoint, first: PrecisionPoint): string {
  const { method, setting, evaluationsPerS, cpuUsPerS, air, ground } = point;
  const errors = [air, ground].flatMap(({ positionM, attitudeDeg }) => [
    `${positionM.toExponential(1)} m`,
    `${attitudeDeg.toExponential(1)}°`,
  ]);
  const cells = [method, setting, evaluationsPerS.toFixed(0), (cpuUsPerS / first.cpuUsPerS).toFixed(2), ...errors];
  return `| ${cells.join(" | ")} |`;
}

interface PrecisionOptions {
  /** All four if empty. */
  readonly vehicles: readonly string[];
  readonly shouldWrite: boolean;
  readonly out: (text: string) => void;
  readonly showProgress: (line: string) => void;
}

export async function runPrecision(options: PrecisionOptions): Promise<void> {
  const { shouldWrite, out, showProgress } = options;
  const chosen = options.vehicles.length === 0 ? VEHICLES : options.vehicles;
  const built = commit();
  const vehicles: Record<string, PrecisionPoint[]> = {};
  await withFolder(async (folder) => {
    const file = await bundle("precision/points.ts", folder);
    for (const vehicle of chosen) {
      showProgress(vehicle);
      vehicles[vehicle] = runJson<PrecisionPoint[]>(file, [vehicle, String(ROUNDS)]);
    }
  });
  const results: PrecisionResults = { machine: machine(), commit: built, vehicles };
  out(`\n${precisionTables(results)}`);
  if (!shouldWrite) return;
  mkdirSync(PRECISION_RESULTS, { recursive: true });
  writeFileSync(join(PRECISION_RESULTS, `${results.machine.name}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(PICTURE, diagram(chosen[0]!, vehicles[chosen[0]!]!));
}
