/** Flies a flight in idle time for its picture on the start page. Only its track is kept. */
import { FlightSession, type ResolvedFlight } from "@escapement/core";
import { registry } from "./texts.ts";

const MAX_POINTS = 400;
const BOUNDARIES_PER_CHECK = 500;

export class Sketch {
  private readonly resolved: ResolvedFlight;
  private session: FlightSession | undefined;

  constructor(resolved: ResolvedFlight) {
    this.resolved = resolved;
  }

  /** Continues the flight until `shouldPause` returns true. Returns the picture once the flight is over. */
  advance(shouldPause: () => boolean) {
    this.session ??= new FlightSession(this.resolved, {
      registry,
      yieldEvery: BOUNDARIES_PER_CHECK,
      checkpointEveryUs: Infinity,
      fingerprint: "none",
    });
    if (this.session.advance(Infinity, shouldPause) !== "end") return undefined;
    const { outcome, reason, end, track } = this.session.result();
    const { definition, settings } = this.resolved;
    const stride = Math.max(1, Math.ceil(track.north.length / MAX_POINTS));
    const count = Math.ceil(track.north.length / stride);
    const trackNed = new Float32Array(3 * count);
    for (let i = 0; i < count; i += 1) {
      // Make the last point the end of the flight.
      const at = i === count - 1 ? track.north.length - 1 : i * stride;
      trackNed.set([track.north[at]!, track.east[at]!, -track.altitude[at]!], 3 * i);
    }
    const { about, vehicle } = settings;
    return { name: definition.name, about, vehicle, outcome, reason, endUs: end.endUs, trackNed };
  }
}
