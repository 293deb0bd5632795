/** Flies a live flight with stock PX4, which this process starts and ends. */
import { type Registry, SimError } from "@escapement/core";
import { checkSitl, flySitl } from "@escapement/px4";
import { LiveRun, type LiveSource, mustResolveText } from "@escapement/viewer";
import type { Live } from "./fly-live.ts";
import type { LiveHub } from "./live-hub.ts";

/** Interval at which rows are sent. */
const UPDATE_INTERVAL_MS = 40;

export class SitlLive implements Live {
  readonly hub: LiveHub;
  private readonly source: LiveSource;
  private readonly options: { readonly registry: Registry; readonly pace: number };
  private readonly ending = new AbortController();
  private flown: Promise<void> = Promise.resolve();

  /** Throws a typed error if PX4 cannot fly the flight, or if PX4 is not installed. */
  constructor(hub: LiveHub, source: LiveSource, options: SitlLive["options"]) {
    checkSitl(source.resolved);
    this.hub = hub;
    this.source = source;
    this.options = options;
  }

  start(onError: (error: unknown) => void): void {
    this.flown = this.fly().catch(onError);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.flown;
  }

  private async fly(): Promise<void> {
    const { registry } = this.options;
    const live = new LiveRun(this.source, (text, files) => mustResolveText(text, files, registry), this.hub.post);
    this.hub.command = live.command;
    const timer = setInterval(() => live.flush(), UPDATE_INTERVAL_MS);
    const { signal } = this.ending;
    try {
      const { flight } = await flySitl(this.source.resolved, {
        ...this.options,
        signal,
        observers: [live],
        onStart: (run) => live.begin(run),
      });
      live.end(flight);
    } catch (error) {
      live.flush();
      if (!(signal.aborted && error instanceof SimError)) throw error;
    } finally {
      clearInterval(timer);
    }
  }
}
