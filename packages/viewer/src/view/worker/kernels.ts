/**
 * Loads code that was compiled at build time for less common vehicles, when a flight needs it.
 *
 * The build fills the table (`tools/compile/ready.ts`). Without a build it is empty, and assembly generates the code.
 */
type Load = () => Promise<unknown>;

/** Functions that load code into the core, by number of rotors. */
const loads: Readonly<Record<number, Load>> = {};

const waiting = new Map(Object.entries(loads).map(([rotors, load]) => [Number(rotors), load]));

/**
 * Loads the code for vehicles with this many rotors; returns undefined if there is none, or if it was loaded before.
 */
export function loadKernels(rotors: number): Promise<unknown> | undefined {
  const load = waiting.get(rotors);
  waiting.delete(rotors);
  // Ignore a failure, because the flight then runs the equations as written, slower but with the same bits.
  return load?.().catch(() => {});
}
