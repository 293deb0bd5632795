/** Two lines of a flight that are drawn beside it on the page of a campaign: altitude and tilt. */
import { type Recording } from "@escapement/core";
import * as math from "@escapement/core/math";
import type { FlightSketch } from "@escapement/formats/campaigns";
import { flightColumns } from "../report/columns.ts";
import { thinned } from "../report/thin.ts";

const MOST_POINTS = 240;
const RAD = Math.PI / 180;

export function flightSketch(recording: Recording): FlightSketch {
  const full = new Map<string, Float64Array>();
  for (const { name, values } of flightColumns(recording))
    if (["t", "altitude", "att0", "att1"].includes(name)) full.set(name, values);
  const [roll, pitch] = [full.get("att0")!, full.get("att1")!];
  const tilt = roll.map((angle, i) => math.acos(math.cos(angle * RAD) * math.cos(pitch[i]! * RAD)) / RAD);
  const { columns } = thinned(
    [
      { name: "t", values: full.get("t")!, sample: true },
      { name: "altitude", values: full.get("altitude")! },
      { name: "tilt", values: tilt },
    ],
    MOST_POINTS,
  );
  const [timesS, altitudeM, tiltDeg] = columns.map(({ values }) => Array.from(values, rounded));
  return { timesS: timesS!, altitudeM: altitudeM!, tiltDeg: tiltDeg! };
}

/** Four digits are more than a sketch can show. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
