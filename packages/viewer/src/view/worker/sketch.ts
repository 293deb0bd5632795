/** A small picture of a flight for the start page: flown in idle time, and only its track is kept. */
import { FlightSession, type ResolvedFlight } from "@escapement/core";
import { registry } from "./texts.ts";

const MOST_POINTS = 400;
const BREATH = 500;

export class Sketch {
  private readonly resolved: ResolvedFlight;
  private session: FlightSession | undefined;

  constructor(resolved: ResolvedFlight) {
    this.resolved = resolved;
  }

  /** Flies on until `hasEnough`. Returns the picture once the flight is over. */
  advance(hasEnough: () => boolean) {
    this.session ??= new FlightSession(this.resolved, { registry, breathEvery: BREATH, checkpointEveryUs: Infinity });
    if (this.session.advance(Infinity, hasEnough) !== "end") return undefined;
    const { outcome, reason, end, track } = this.session.result();
    const { definition, settings } = this.resolved;
    const stride = Math.max(1, Math.ceil(track.north.length / MOST_POINTS));
    const count = Math.ceil(track.north.length / stride);
    const trackNed = new Float32Array(3 * count);
    for (let i = 0; i < count; i += 1) {
      // The last point is the end of the flight.
      const at = i === count - 1 ? track.north.length - 1 : i * stride;
      trackNed.set([track.north[at]!, track.east[at]!, -track.altitude[at]!], 3 * i);
    }
    const { about, vehicle } = settings;
    return { name: definition.name, about, vehicle, outcome, reason, endUs: end.endUs, trackNed };
  }
}
