/**
 * Handles SIGINT (Ctrl-C), SIGHUP (terminal closed) and SIGTERM. The first signal requests the flight's end: it ends at
 * its next pause and its files are closed. A second signal exits the process immediately; it calls `process.exit`, so
 * that exit handlers can end the child processes.
 */

/** Exit codes that a shell expects after a signal: 128 plus the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[];

export class Interrupt {
  exitCode: number = EXIT_CODES.SIGINT;
  private readonly control = new AbortController();
  private wake: () => void = () => {};
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    if (this.isRequested) process.exit(this.exitCode);
    this.exitCode = EXIT_CODES[signal as Signal];
    this.control.abort();
    this.wake();
  };

  get isRequested(): boolean {
    return this.signal.aborted;
  }

  /** Aborted by the first process signal, for code that does not check `isRequested` at every pause. */
  get signal(): AbortSignal {
    return this.control.signal;
  }

  listen(): void {
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
  }

  stopListening(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.onSignal);
  }

  /** Sleeps; a signal ends the sleep early. */
  sleep(ms: number): Promise<void> {
    if (this.isRequested) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
