/**
 * Flies a flight at a fixed multiple of real time for the pages that show it. It flies in this process, or with stock
 * PX4, which this process starts.
 */
import type { Registry } from "@escapement/core";
import { SITL_KIND } from "@escapement/px4";
import { LiveSession, type LiveSource, mustResolveText } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { isPx4 } from "../load/open-session.ts";
import { bundleFlight } from "./bundle.ts";
import { LiveHub } from "./live-hub.ts";

/** Interval at which the flight catches up with the clock. */
const UPDATE_INTERVAL_MS = 40;
/** Maximum time that the flight may block the process, which must answer the pages. */
const MAX_BLOCK_MS = 30;
/**
 * Maximum delay behind the clock. If the machine is too slow for the pace, the flight slows down instead of falling
 * further behind.
 */
const MAX_DELAY_MS = 250;

interface LiveOptions {
  /** Replaces the autopilot of the description. */
  readonly autopilot?: string;
  /** Flight seconds per second of the wall clock. */
  readonly pace: number;
  readonly registry: Registry;
}

/** A live flight, with the hub that connects it to pages. */
export interface Live {
  readonly hub: LiveHub;
  /** Begins the flight. Passes an error that ends it to `onError`. */
  start(onError: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Reads the flight, and throws its errors, so that they are printed before a browser opens. */
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
      what: `a flight with ${kind} runs in a separate process and cannot be shown live`,
      fix: `fly it with --autopilot ${SITL_KIND}`,
    });
  }
  return liveInProcess(hub, source, pace, registry);
}

/**
 * Reads the description. If an autopilot is given, returns a description that extends it and replaces the autopilot.
 */
function sourceOf(name: string, autopilot: string | undefined, registry: Registry): LiveSource {
  const bundled = bundleFlight(name, registry);
  const files: Record<string, Uint8Array> = {};
  for (const [path, base64] of Object.entries(bundled.files)) files[path] = Buffer.from(base64, "base64");
  let { text } = bundled;
  if (autopilot !== undefined) {
    const isBuiltIn = Object.keys(files).length === 0 && /^extends = "[\w-]+"\n$/.test(text);
    if (!isBuiltIn) files["described.toml"] = new TextEncoder().encode(text);
    text = `${isBuiltIn ? text : 'extends = "./described.toml"\n'}autopilot = ${JSON.stringify(autopilot)}\n`;
  }
  return { name: bundled.name, text, files, resolved: mustResolveText(text, files, registry) };
}

function liveInProcess(hub: LiveHub, source: LiveSource, pace: number, registry: Registry): Live {
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
          session.flyTo((nowMs - startMs) * 1000 * pace, () => performance.now() - nowMs > MAX_BLOCK_MS);
          if (session.isOver) clearInterval(timer);
          startMs = Math.max(startMs, performance.now() - session.nowUs / 1000 / pace - MAX_DELAY_MS);
        } catch (error) {
          clearInterval(timer);
          onError(error);
        }
      }, UPDATE_INTERVAL_MS);
    },
    stop: async () => clearInterval(timer),
  };
}
