/**
 * Measures a tick of the embedded autopilot, in hover and in cruise.
 *
 * The inputs of the autopilot are saved during one flight and then copied to the bus repeatedly. Copying takes about a
 * sixth of the time, so it is measured alone, too, and subtracted: only the autopilot's own cost remains.
 */
import {
  assemble,
  coreRegistry,
  flightLoop,
  mustResolve,
  type Probe,
  resolveFlight,
  Snapshot,
  type Source,
} from "@escapement/core";
import { Bus } from "../../packages/core/src/engine/bus.ts";
import { FlightClock } from "../../packages/core/src/time/index.ts";
import type { Variant } from "../measure.ts";
import { measureWithRatios } from "./kernel-steps.ts";
import type { Group, Row } from "./row.ts";

const TICK_US = 4000;
const TICKS = 500;

interface Case {
  readonly row: Row;
  readonly schedule: string;
  readonly flight: string;
  readonly fromS: number;
}

function phase(schedule: string, name: string, flight: string, fromS: number): Case {
  const about = `One update of the embedded autopilot in ${name}, with all its control loops; schedule "${schedule}".`;
  return { row: { name: `autopilot tick, ${name}, ${schedule}`, about, unit: "ns" }, schedule, flight, fromS };
}

const CASES: readonly Case[] = ["default", "px4-library"].flatMap((schedule) => [
  phase(schedule, "hover", "hover", 20),
  phase(schedule, "cruise", "mission", 29.5),
]);

/** Makes two variants: copying the inputs and updating the autopilot, and copying alone. */
function ticks({ row, schedule, flight: name, fromS }: Case): readonly [ticking: Variant, copying: Variant] {
  const autopilot = { kind: "embedded", schedule };
  const { definition } = mustResolve(
    resolveFlight({ file: "bench", spec: { extends: name, autopilot } }, coreRegistry),
  );
  const kept: Float64Array[] = [];
  const probe: Probe = {
    observe: ({ us }, _bus) => {
      if (us >= fromS * 1e6 && kept.length < TICKS) kept.push(flight.bus.values.slice());
    },
  };
  const { flight } = assemble(definition, coreRegistry, { probes: [probe], fingerprint: "none" });
  const pilot = flight.parts.autopilot as Source<"autopilot">;
  let start: Snapshot | undefined;
  for (const _mark of flightLoop(flight, { markUs: Float64Array.of(fromS * 1e6) })) {
    if (flight.schedule.nowUs === fromS * 1e6) start ??= Snapshot.of(pilot);
    if (kept.length === TICKS) break;
  }
  const bus = new Bus(flight.bus.layout.dims, undefined as never);
  const [from, size] = bus.layout.ranges.estimator;
  const view = bus.view("autopilot");
  const clock = new FlightClock();
  const copyInputs = (i: number) => {
    clock.set(fromS * 1e6 + i * TICK_US);
    const values = kept[i]!;
    for (let k = from; k < from + size; k += 1) bus.values[k] = values[k]!;
  };
  const prepare = () => {
    start!.into(pilot);
    bus.values.set(kept[0]!);
  };
  const tick = () => {
    for (let i = 0; i < TICKS; i += 1) {
      copyInputs(i);
      pilot.update(clock, view);
    }
    return TICKS;
  };
  const copy = () => {
    for (let i = 0; i < TICKS; i += 1) copyInputs(i);
    return TICKS;
  };
  return [
    { name: row.name, guessNs: 1000, prepare, run: tick },
    { name: `${row.name}, inputs alone`, guessNs: 100, prepare, run: copy },
  ];
}

export const autopilot: Group = {
  name: "autopilot",
  rows: CASES.map(({ row }) => row),
  measure: (effort) => {
    const times = measureWithRatios(CASES.flatMap(ticks), effort);
    return CASES.map(({ row }, i) => {
      const { ns, ratios } = times[2 * i]!;
      const value = ns - times[2 * i + 1]!.ns;
      return {
        row: row.name,
        value,
        ratios: Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, (ratio * value) / ns])),
      };
    });
  },
};
