/** What an attack is, and how its cases are judged. */
import { SimError } from "@escapement/core";

export type Verdict = "accepted" | "refused";

export interface Attack {
  readonly name: string;
  /** Cases of the full bar. */
  readonly cases: number;
  /** Prepares the attack; the result runs one case. */
  readonly prepare: (seed: number) => Promise<(i: number) => Promise<Verdict>>;
}

/** The product returned something that was never written. */
export class WrongData extends Error {}

/** Runs code on untrusted input. A typed error is a refusal; any other error is left to the caller to report. */
export async function verdictOf(run: () => unknown): Promise<Verdict> {
  try {
    await run();
    return "accepted";
  } catch (error) {
    if (error instanceof SimError) return "refused";
    throw error;
  }
}
