/**
 * Cost of one tick of the embedded autopilot, in hover and in cruise: `npx tsx bench/autopilot.ts`.
 *
 * A mission is flown once with the plant of the reference flights and its estimates are kept; the autopilot is then fed
 * with them in a loop, so that only its own cost is measured. The median of many short rounds is printed beside the best.
 */
import { Bus } from "../packages/core/src/engine/bus.ts";
import { Snapshot } from "../packages/core/src/snapshot/index.ts";
import { FlightClock } from "../packages/core/src/time/index.ts";
import { OracleFlight, referenceFlight, TICK_US } from "../tests/support/px4-flights.ts";

const ROUNDS = 400;
const TICKS = 1000;
const SIGNALS = ["estPosNed", "estVelNed", "estAccNed", "estQBodyToNed", "estRateBody", "estRateDotBody"] as const;

interface Phase {
  readonly name: string;
  readonly fromS: number;
}

const PHASES: readonly Phase[] = [
  { name: "hover (hold at a waypoint)", fromS: 19.0 },
  { name: "cruise", fromS: 29.0 },
];

for (const preset of ["default", "px4-library"] as const) {
  for (const phase of PHASES) measure(preset, phase);
}

function measure(preset: "default" | "px4-library", phase: Phase): void {
  const { setup } = referenceFlight("simple");
  const flight = new OracleFlight(setup, { preset, ownLandDetector: true });
  while (flight.t < phase.fromS) flight.step();
  const start = Snapshot.of(flight.autopilot);
  const startTick = flight.tick + 1;
  const kept: Float64Array[] = [];
  for (let i = 0; i < TICKS; i += 1) {
    flight.step(() => kept.push(Float64Array.from(SIGNALS.flatMap((name) => [...flight.all.signal(name)]))));
  }

  const bus = new Bus(flight.all.layout.dims, undefined as never);
  bus.values.set(flight.all.values);
  const targets = SIGNALS.map((name) => bus.signal(name));
  const view = bus.view("autopilot");
  const clock = new FlightClock();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    start.into(flight.autopilot);
    const began = process.hrtime.bigint();
    for (let i = 0; i < TICKS; i += 1) {
      clock.set((startTick + i) * TICK_US);
      const values = kept[i]!;
      let at = 0;
      for (const target of targets) for (let j = 0; j < target.length; j += 1) target[j] = values[at++]!;
      flight.autopilot.update(clock, view);
    }
    times.push(Number(process.hrtime.bigint() - began) / TICKS);
  }
  times.sort((a, b) => a - b);
  const median = times[ROUNDS >> 1]!;
  console.log(`${preset.padEnd(12)} ${phase.name.padEnd(28)} best ${times[0]!.toFixed(0)} ns, median ${median.toFixed(0)} ns a tick`);
}
