/** The interface of an attack, and the verdict on one case. */
import { SimError } from "@escapement/core";

export type Verdict = "accepted" | "refused";

export interface Attack {
  readonly name: string;
  /** Number of cases in a full run. */
  readonly cases: number;
  /** Prepares the attack, and returns a function that runs one case. */
  readonly prepare: (seed: number) => Promise<(i: number) => Promise<Verdict>>;
}

/** Thrown if the product returned data that was never written. */
export class WrongData extends Error {}

/** Runs code on untrusted input. A typed error counts as a rejection; any other error is thrown. */
export async function verdictOf(run: () => unknown): Promise<Verdict> {
  try {
    await run();
    return "accepted";
  } catch (error) {
    if (error instanceof SimError) return "refused";
    throw error;
  }
}
