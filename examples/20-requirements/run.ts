/** Judges one flight by several requirements: in flight, and afterwards from its recording. */
import { fly, requirement } from "escapement";

// The text is read and checked once; invalid text throws an error that points at the wrong word.
const high = requirement("always altitude > 1 m during 10 s..40 s", { name: "stays high" });
export const flight = await fly({ extends: "examples/20-requirements/flight.toml" }, { require: [high] });

for (const { name, verdict, low, unit, binding } of flight.verdicts) {
  const at = binding === undefined ? "" : ` at ${(binding.tUs / 1e6).toFixed(3)} s`;
  console.log(`${name}: ${verdict}, margin ${low.toFixed(3)} ${unit ?? ""}`.trimEnd() + at);
}

// A requirement that was not given before the flight: the recording is replayed, with the same verdict as in flight.
export const afterwards = flight.judge("never speed > 1 m/s");
console.log(`never speed > 1 m/s: ${afterwards.verdict}, because of ${afterwards.binding!.predicate}`);
