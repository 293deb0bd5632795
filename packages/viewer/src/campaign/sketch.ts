/** Altitude and tilt of a flight over time, which the campaign page draws beside the flight. */
import { type Recording } from "@escapement/core";
import * as math from "@escapement/core/math";
import type { FlightSketch } from "@escapement/formats/campaigns";
import { flightColumns } from "../report/columns.ts";
import { downsample } from "../report/downsample.ts";

const MAX_POINTS = 240;
const RAD = Math.PI / 180;

export function flightSketch(recording: Recording): FlightSketch {
  const full = new Map<string, Float64Array>();
  for (const { name, values } of flightColumns(recording))
    if (["t", "altitude", "att0", "att1"].includes(name)) full.set(name, values);
  const [roll, pitch] = [full.get("att0")!, full.get("att1")!];
  const tilt = roll.map((angle, i) => math.acos(math.cos(angle * RAD) * math.cos(pitch[i]! * RAD)) / RAD);
  const { columns } = downsample(
    [
      { name: "t", values: full.get("t")!, sample: true },
      { name: "altitude", values: full.get("altitude")! },
      { name: "tilt", values: tilt },
    ],
    MAX_POINTS,
  );
  const [timesS, altitudeM, tiltDeg] = columns.map(({ values }) => Array.from(values, toFourDigits));
  return { timesS: timesS!, altitudeM: altitudeM!, tiltDeg: tiltDeg! };
}

/** Rounds to four digits, which is more than a sketch can show. */
function toFourDigits(value: number): number {
  return Number(value.toPrecision(4));
}
