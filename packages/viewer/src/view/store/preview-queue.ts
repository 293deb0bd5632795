/**
 * Flies previews one after another. While one is being flown, only the newest request waits for it. So the previewed
 * future follows the pointer as fast as the worker flies, and requests that the pointer has overtaken are never flown.
 */
export class PreviewQueue<Request, Future> {
  private readonly fly: (request: Request) => Promise<Future | undefined>;
  private readonly show: (request: Request, future: Future) => void;
  private newest: Request | undefined;
  private isFlying = false;
  /** The number of calls of `clear`. A future that was requested before the last call is not shown. */
  private clears = 0;

  /** `fly` returns undefined if there is no future to show. */
  constructor(
    fly: (request: Request) => Promise<Future | undefined>,
    show: (request: Request, future: Future) => void,
  ) {
    this.fly = fly;
    this.show = show;
  }

  ask(request: Request): void {
    this.newest = request;
    if (!this.isFlying) void this.flyAll();
  }

  /** Ends the preview: a future that was requested before this call is not shown after it. */
  clear(): void {
    this.newest = undefined;
    this.clears += 1;
  }

  private async flyAll(): Promise<void> {
    this.isFlying = true;
    while (this.newest !== undefined) {
      const { newest, clears } = this;
      this.newest = undefined;
      const future = await this.fly(newest);
      if (future !== undefined && clears === this.clears) this.show(newest, future);
    }
    this.isFlying = false;
  }
}
