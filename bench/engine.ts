/**
 * What a boundary with its interval costs, and what digests add to it: the hover of the iris, flown without a
 * fingerprint, with the plant digest, and with all digests, taking turns in random order; minima are compared.
 */
import { assemble, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";

const ROUNDS = 12;
const SECONDS = 10;
const MODES = ["none", "plant", "all"] as const;

const { flown } = mustResolve(
  resolveFlight({ file: "bench", spec: { extends: "hover", timeline: { endS: SECONDS } } }, coreRegistry),
);

function nsPerBoundary(fingerprint: (typeof MODES)[number]): number {
  const { flight } = assemble(flown, coreRegistry, { fingerprint });
  const began = process.hrtime.bigint();
  const { boundaries } = flyNow(flight);
  return Number(process.hrtime.bigint() - began) / boundaries;
}

const best = Object.fromEntries(MODES.map((mode) => [mode, Infinity])) as Record<(typeof MODES)[number], number>;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const mode of [...MODES].sort(() => Math.random() - 0.5)) best[mode] = Math.min(best[mode], nsPerBoundary(mode));
}

process.stdout.write("A boundary with its interval (hover of the iris, RK4 on 1 ms, embedded autopilot)\n");
for (const mode of MODES) {
  const ns = best[mode].toFixed(0).padStart(6);
  process.stdout.write(`  fingerprint ${mode.padEnd(6)} ${ns} ns   ${(best[mode] / best.none).toFixed(3)} ×\n`);
}
