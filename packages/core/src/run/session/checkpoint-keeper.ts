/**
 * Checkpoints of one flight in bounded memory.
 *
 * They are kept on a grid of flight time. When there are too many, every second one is dropped and the grid becomes
 * twice as coarse. So flights of up to ten minutes have a checkpoint every half second. In a longer flight of length T,
 * any instant lies at most T / 600 after a checkpoint.
 */
import type { Snapshot } from "../../snapshot/index.ts";
import { instantOf } from "./graft.ts";

/** Flight time between two checkpoints, unless the flight is long. */
export const CHECKPOINT_INTERVAL_US = 500_000;
/** 1200 checkpoints of 10 kB are 12 MB. */
const MAX_CHECKPOINTS = 1200;

/**
 * Returns when the next checkpoint of a file is due. Checkpoints in a file cannot be removed. Instead, the spacing
 * doubles after 10, 20, 40 … minutes of flight, so that any time t lies at most half a second, or t / 600, after a
 * checkpoint.
 */
export function nextCheckpointUs(nowUs: number): number {
  let spacingUs = CHECKPOINT_INTERVAL_US;
  while (nowUs >= MAX_CHECKPOINTS * spacingUs) spacingUs *= 2;
  return (Math.floor(nowUs / spacingUs) + 1) * spacingUs;
}

export class CheckpointKeeper {
  private readonly maxCount: number;
  private spacingUs: number;
  /**
   * Checkpoints by grid index. Each was taken before the first boundary at or after its grid time, or before a later
   * boundary if it comes from another run.
   */
  private kept = new Map<number, Snapshot>();

  constructor(spacingUs = CHECKPOINT_INTERVAL_US, maxCount = MAX_CHECKPOINTS) {
    this.spacingUs = spacingUs;
    this.maxCount = maxCount;
  }

  get count(): number {
    return this.kept.size;
  }

  /** Returns the first time at or after `nowUs` at which a checkpoint is missing. */
  nextUs(nowUs: number): number {
    let index = Math.ceil(nowUs / this.spacingUs);
    while (this.kept.has(index)) index += 1;
    return index * this.spacingUs;
  }

  /** Keeps a checkpoint that was due at `dueUs`, a time that `nextUs` returned. */
  keep(snapshot: Snapshot, dueUs: number): void {
    this.kept.set(Math.round(dueUs / this.spacingUs), snapshot);
    while (this.kept.size > this.maxCount) this.thin();
  }

  /** Keeps a checkpoint that another run has taken. */
  keepFrom(snapshot: Snapshot): void {
    this.keep(snapshot, Math.floor(instantOf(snapshot) / this.spacingUs) * this.spacingUs);
  }

  /** Returns the last checkpoint at or before a time. */
  before(tUs: number): Snapshot | undefined {
    for (let index = Math.floor(tUs / this.spacingUs); index >= 0; index -= 1) {
      const found = this.kept.get(index);
      if (found !== undefined && instantOf(found) <= tUs) return found;
    }
    return undefined;
  }

  private thin(): void {
    this.spacingUs *= 2;
    this.kept = new Map([...this.kept].filter(([index]) => index % 2 === 0).map(([index, each]) => [index / 2, each]));
  }
}
