/**
 * Measures one group of the suite in a fresh process, and prints its readings as JSON on the last line.
 *
 * Arguments: the group and the effort. It is bundled before it runs, like the shipped code.
 */
import { FULL, QUICK } from "./measure.ts";
import { groups } from "./rows/index.ts";

const [name = "", effort = "full"] = process.argv.slice(2);
const group = groups.find((each) => each.name === name);
if (group === undefined)
  throw new Error(`there is no group "${name}"; there are ${groups.map((g) => g.name).join(", ")}`);
const readings = await group.measure(effort === "quick" ? QUICK : FULL);
process.stdout.write(`${JSON.stringify(readings)}\n`);
