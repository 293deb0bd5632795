/** Ctrl-C as a wish: the flight ends at its next breath, files are closed. A second one ends the process at once. */
export class Interrupt {
  isAsked = false;
  /** Called when it is asked for, by those who cannot look at every breath. */
  onAsked: () => void = () => {};
  private wake: () => void = () => {};
  private readonly onSignal = (): void => {
    this.isAsked = true;
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
