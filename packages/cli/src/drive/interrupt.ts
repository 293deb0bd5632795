/**
 * Ctrl-C as a wish: the flight ends at its next breath, files are closed. A second one ends the process at once, but as
 * an exit, so that whatever was started here ends with it. Closing the terminal, and being asked by another program, are
 * the same wish.
 */

/** What a shell expects of a process that was asked to end: 128 and the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[];

export class Interrupt {
  exitCode: number = EXIT_CODES.SIGINT;
  private readonly control = new AbortController();
  private wake: () => void = () => {};
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    if (this.isAsked) process.exit(this.exitCode);
    this.exitCode = EXIT_CODES[signal as Signal];
    this.control.abort();
    this.wake();
  };

  get isAsked(): boolean {
    return this.signal.aborted;
  }

  /** The wish, for those who cannot look at every breath. */
  get signal(): AbortSignal {
    return this.control.signal;
  }

  listen(): void {
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
  }

  forget(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal);
  }

  /** Sleeps, but not through a wish. */
  sleep(ms: number): Promise<void> {
    if (this.isAsked) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
