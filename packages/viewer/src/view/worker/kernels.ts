/**
 * Code compiled at build time for vehicles that most flights do not have, loaded when a flight needs it.
 *
 * The build fills the table (`tools/compile/ready.ts`). In the sources it is empty, and assembly generates code.
 */
type Load = () => Promise<unknown>;

/** Loads the code for vehicles with this many rotors into the core. */
const loads: Readonly<Record<number, Load>> = {};

const waiting = new Map(Object.entries(loads).map(([rotors, load]) => [Number(rotors), load]));

/** Loads the code for vehicles with this many rotors; undefined if there is nothing to wait for. */
export function loadKernels(rotors: number): Promise<unknown> | undefined {
  const load = waiting.get(rotors);
  waiting.delete(rotors);
  // Without this code the flight runs the equations as written: slower, with the same bits.
  return load?.().catch(() => {});
}
