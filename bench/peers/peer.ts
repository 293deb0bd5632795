/**
 * Another simulator on the same machine: where it is found, what it did and how long that took.
 *
 * None is bundled. The user names it by a variable; one that is absent says which. What is compared is not the same work:
 * every line says what was done, and how it was timed.
 */
export interface Peer {
  readonly name: string;
  /** How it is named, for those who have it. */
  readonly needs: string;
  /** Exactly what it did, and how that was timed. */
  readonly work: string;
  /** Undefined where it is absent. */
  readonly run: () => PeerTimes | undefined | Promise<PeerTimes | undefined>;
}

export interface PeerTimes {
  readonly simulatedS: number;
  readonly wallS: number;
  /** Steps of its physics in that time. */
  readonly steps: number;
}

export interface PeerResult extends PeerTimes {
  readonly name: string;
  readonly work: string;
}

/** The fastest run. */
export function best<T extends PeerTimes>(times: readonly T[]): T {
  return times.reduce((a, b) => (b.wallS / b.simulatedS < a.wallS / a.simulatedS ? b : a));
}

export function wallS(work: () => void): number {
  const began = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - began) / 1e9;
}

/** What a variable names, if it is set. */
export function named(variable: string): string | undefined {
  const value = process.env[variable];
  return value === undefined || value === "" ? undefined : value;
}
