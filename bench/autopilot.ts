/**
 * Cost of one tick of the embedded autopilot, in hover and in cruise, and as a ratio to one RK4 step of the iris:
 * `npx tsx bench/autopilot.ts`.
 *
 * A mission is flown once with the plant of the reference flights and its estimates are kept; the autopilot is then fed
 * with them in a loop, so that only its own cost is measured. Autopilot and plant take turns in short slices, and the
 * best of each is compared: a busy machine then costs rounds and not truth.
 */
import { pathToFileURL } from "node:url";
import { Bus, inputLayout } from "../packages/core/src/engine/bus.ts";
import { assemble, coreRegistry, mustResolve, resolveFlight } from "../packages/core/src/flight/index.ts";
import { Snapshot } from "../packages/core/src/snapshot/index.ts";
import { FlightClock } from "../packages/core/src/time/index.ts";
import { OracleFlight, referenceFlight, TICK_US } from "../tests/support/px4-flights.ts";

const ROUNDS = 400;
const TICKS = 1000;
const STEPS = 500;
const SIGNALS = ["estPosNed", "estVelNed", "estAccNed", "estQBodyToNed", "estRateBody", "estRateDotBody"] as const;

type Preset = "default" | "px4-library";
export interface AutopilotRow {
  readonly preset: Preset;
  readonly phase: string;
  readonly tickNs: number;
  readonly rk4Ns: number;
  readonly ratio: number;
}

const PHASES: readonly (readonly [name: string, fromS: number])[] = [
  ["hover", 19],
  ["cruise", 29],
];

/** Nanoseconds a call of `slice`, which does `count` of what is measured. */
function timed(slice: () => void, count: number): number {
  const began = process.hrtime.bigint();
  slice();
  return Number(process.hrtime.bigint() - began) / count;
}

interface Slice {
  /** Not measured. */
  readonly prepare: () => void;
  readonly run: () => void;
}

/** A slice of autopilot ticks on kept estimates. */
function autopilotSlice(preset: Preset, fromS: number): Slice {
  const { setup } = referenceFlight("simple");
  const flight = new OracleFlight(setup, { preset, ownLandDetector: true });
  while (flight.t < fromS) flight.step();
  const start = Snapshot.of(flight.autopilot);
  const startTick = flight.tick + 1;
  const kept: Float64Array[] = [];
  const keep = () => kept.push(Float64Array.from(SIGNALS.flatMap((name) => [...flight.all.signal(name)])));
  for (let i = 0; i < TICKS; i += 1) flight.step(keep);

  const bus = new Bus(flight.all.layout.dims, undefined as never);
  bus.values.set(flight.all.values);
  const targets = SIGNALS.map((name) => bus.signal(name));
  const view = bus.view("autopilot");
  const clock = new FlightClock();
  const run = () => {
    for (let i = 0; i < TICKS; i += 1) {
      clock.set((startTick + i) * TICK_US);
      const values = kept[i]!;
      let at = 0;
      for (const target of targets) for (let j = 0; j < target.length; j += 1) target[j] = values[at++]!;
      flight.autopilot.update(clock, view);
    }
  };
  return { prepare: () => start.into(flight.autopilot), run };
}

/** A slice of RK4 steps of 1 ms of the iris in the air, motors at half. */
function rk4Slice(): () => void {
  const { flown } = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));
  const { flight } = assemble(flown, coreRegistry);
  const { offset } = flight.parts.plant.layout.find("posNed")!;
  flight.x[offset + 2] = -100;
  const { motorCommand } = inputLayout(flight.bus.layout.dims).offsets;
  flight.u.fill(0.5, motorCommand, motorCommand + 4);
  const start = Float64Array.from(flight.x);
  const span = new Float64Array(2);
  let timeUs = 0;
  return () => {
    flight.x.set(start);
    for (let i = 0; i < STEPS; i += 1) {
      span[0] = timeUs;
      timeUs += 1000;
      span[1] = timeUs;
      flight.integrator.advance(span, flight.x);
    }
  };
}

export function measureAutopilot(): AutopilotRow[] {
  const rk4 = rk4Slice();
  const rows: AutopilotRow[] = [];
  for (const preset of ["default", "px4-library"] as const) {
    for (const [phase, fromS] of PHASES) {
      const slice = autopilotSlice(preset, fromS);
      let tickNs = Infinity;
      let rk4Ns = Infinity;
      for (let round = 0; round < ROUNDS; round += 1) {
        slice.prepare();
        tickNs = Math.min(tickNs, timed(slice.run, TICKS));
        rk4Ns = Math.min(rk4Ns, timed(rk4, STEPS));
      }
      rows.push({ preset, phase, tickNs, rk4Ns, ratio: tickNs / rk4Ns });
    }
  }
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const row of measureAutopilot()) {
    const ratio = `${row.ratio.toFixed(2)} RK4 steps of ${row.rk4Ns.toFixed(0)} ns`;
    console.log(`${row.preset.padEnd(12)} ${row.phase.padEnd(7)} ${row.tickNs.toFixed(0)} ns a tick, ${ratio}`);
  }
}
