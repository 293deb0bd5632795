/**
 * Limits the time that a thread may take for a flight. It measures processor time, so that a busy machine does not
 * cause flights to be marked `poisoned`.
 *
 * Node.js 20 measures only the processor time of the whole process, so threads that fly are assumed to get equal shares
 * of it. A thread that waits forever uses no processor time, so wall time is limited too.
 */

/** Wall time that a flight may take, as a multiple of its limit of processor time. */
const WALL_FACTOR = 10;

export class TimeLimit {
  private readonly threads: () => number;
  private readonly onOver: () => void;
  private timer: NodeJS.Timeout | undefined;

  /** `threads` returns how many threads fly at present. */
  constructor(threads: () => number, onOver: () => void) {
    this.threads = threads;
    this.onOver = onOver;
  }

  /** Starts the limit, and cancels one that was started before. */
  begin(limitMs: number): void {
    const startMs = performance.now();
    const start = process.cpuUsage();
    const checkAfter = (ms: number) => {
      this.end();
      this.timer = setTimeout(check, ms);
    };
    const check = () => {
      const { user, system } = process.cpuUsage(start);
      const usedMs = (user + system) / 1000 / Math.max(1, this.threads());
      const wallMs = performance.now() - startMs;
      const leftMs = Math.min(limitMs - usedMs, WALL_FACTOR * limitMs - wallMs);
      if (leftMs > 0) checkAfter(Math.ceil(leftMs));
      else this.onOver();
    };
    checkAfter(limitMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
