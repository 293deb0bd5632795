/** Ctrl-C as a wish: the flight ends at its next breath, files are closed. A second one ends the process at once. */
export class Interrupt {
  isAsked = false;
  /** Called when it is asked for, by those who cannot look at every breath. */
  onAsked: () => void = () => {};
  private wake: () => void = () => {};
  /** What a shell expects of a process that was asked to end: 128 and the signal's number. */
  exitCode = 130;
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    this.isAsked = true;
    this.exitCode = signal === "SIGTERM" ? 143 : 130;
    this.onAsked();
    this.wake();
  };

  listen(): void {
    process.once("SIGINT", this.onSignal);
    process.once("SIGTERM", this.onSignal);
  }

  forget(): void {
    process.removeListener("SIGINT", this.onSignal);
    process.removeListener("SIGTERM", this.onSignal);
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
