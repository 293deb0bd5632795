/**
 * Flies a flight for the pages that show it: at the pace of the wall clock, in this process, or with stock PX4, which
 * this process starts.
 */
import type { Registry } from "@escapement/core";
import { SITL_KIND } from "@escapement/px4";
import { LiveSession, type LiveSource, mustResolveText } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { isPx4 } from "../load/open-session.ts";
import { bundleFlight } from "./bundle.ts";
import { LiveHub } from "./live-hub.ts";

/** How often the flight catches up with the clock. */
const STRIDE_MS = 40;
/** It flies at most this long before it answers the pages again. */
const BUSY_MS = 30;
/** A machine that is too slow for the pace delays the flight: what it is late by, beyond this, is not caught up. */
const LATE_MS = 250;

interface LiveOptions {
  /** Another autopilot than the description's. */
  readonly autopilot?: string;
  /** Flight seconds per second of the wall clock. */
  readonly pace: number;
  readonly registry: Registry;
}

/** A live flight: its hub, and what begins and ends it. */
export interface Live {
  readonly hub: LiveHub;
  /** Begins the flight. Errors that end it are given to `onError`. */
  start(onError: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Reads the flight; mistakes in it are thrown before a browser opens. */
export async function openLive(name: string, { autopilot, pace, registry }: LiveOptions): Promise<Live> {
  const source = sourceOf(name, autopilot, registry);
  const { kind } = source.resolved.definition.autopilot;
  const hub = new LiveHub(source.name);
  if (kind === SITL_KIND) {
    const { SitlLive } = await import("./sitl-live.ts");
    return new SitlLive(hub, source, { registry, pace });
  }
  if (isPx4(kind)) {
    throw cliErrors.badPx4Flag({
      what: `a flight with ${kind} flies in a process of its own and cannot be followed`,
      fix: `fly it with --autopilot ${SITL_KIND}`,
    });
  }
  return liveHere(hub, source, pace, registry);
}

/** A description that names an autopilot of its own extends the given one. */
function sourceOf(name: string, autopilot: string | undefined, registry: Registry): LiveSource {
  const bundled = bundleFlight(name, registry);
  const files: Record<string, Uint8Array> = {};
  for (const [path, base64] of Object.entries(bundled.files)) files[path] = Buffer.from(base64, "base64");
  let { text } = bundled;
  if (autopilot !== undefined) {
    const extended = Object.keys(files).length === 0 && /^extends = "[\w-]+"\n$/.test(text);
    if (!extended) files["described.toml"] = new TextEncoder().encode(text);
    text = `${extended ? text : 'extends = "./described.toml"\n'}autopilot = ${JSON.stringify(autopilot)}\n`;
  }
  return { name: bundled.name, text, files, resolved: mustResolveText(text, files, registry) };
}

function liveHere(hub: LiveHub, source: LiveSource, pace: number, registry: Registry): Live {
  let timer: NodeJS.Timeout | undefined;
  return {
    hub,
    start(onError) {
      const session = new LiveSession(source, (text, files) => mustResolveText(text, files, registry), hub.post);
      hub.command = (events) => session.command(events);
      let startMs = performance.now();
      timer = setInterval(() => {
        const nowMs = performance.now();
        try {
          session.flyTo((nowMs - startMs) * 1000 * pace, () => performance.now() - nowMs > BUSY_MS);
          if (session.isOver) clearInterval(timer);
          startMs = Math.max(startMs, performance.now() - session.nowUs / 1000 / pace - LATE_MS);
        } catch (error) {
          clearInterval(timer);
          onError(error);
        }
      }, STRIDE_MS);
    },
    stop: async () => clearInterval(timer),
  };
}
