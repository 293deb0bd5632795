/** Measures the group that the arguments of the process name, and prints its readings as JSON on the last line. */
import { FULL, QUICK } from "./measure.ts";
import type { Group } from "./rows/row.ts";

/** Arguments of the process: the name of the group and the effort. */
export async function measureGroup(groups: readonly Group[]): Promise<void> {
  const [name = "", effort = "full"] = process.argv.slice(2);
  const group = groups.find((each) => each.name === name);
  if (group === undefined)
    throw new Error(`there is no group "${name}"; there are ${groups.map((g) => g.name).join(", ")}`);
  const readings = await group.measure(effort === "quick" ? QUICK : FULL);
  process.stdout.write(`${JSON.stringify(readings)}\n`);
}
