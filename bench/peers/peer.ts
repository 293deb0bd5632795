/**
 * Another simulator on the same machine: the software that it needs, the work that it did, and the time that this took.
 *
 * No simulator is included; an environment variable gives the path of each. The simulators do not all do the same work,
 * so every line states the work and how it was timed.
 */
export interface Peer {
  readonly name: string;
  /** The required software, and the variable that names its path. */
  readonly needs: string;
  /** The work, and how it was timed. */
  readonly work: string;
  /** Returns undefined if the simulator is not installed. */
  readonly run: () => PeerTimes | undefined | Promise<PeerTimes | undefined>;
}

export interface PeerTimes {
  readonly simulatedS: number;
  readonly wallS: number;
  /** Integration steps in the simulated time. */
  readonly steps: number;
}

export interface PeerResult extends PeerTimes {
  readonly name: string;
  readonly work: string;
}

/** Returns the fastest run. */
export function best<T extends PeerTimes>(times: readonly T[]): T {
  return times.reduce((a, b) => (b.wallS / b.simulatedS < a.wallS / a.simulatedS ? b : a));
}

export function measureWallS(work: () => void): number {
  const began = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - began) / 1e9;
}

/** Returns the value of an environment variable, or undefined if it is not set or empty. */
export function readVariable(variable: string): string | undefined {
  const value = process.env[variable];
  return value === undefined || value === "" ? undefined : value;
}
