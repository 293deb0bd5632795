/**
 * Flights as the particles of splitting: their scores are sampled every half second. A branch starts from the
 * checkpoint at the sample at which the score of its parent first exceeded the level, and has other random numbers from
 * there on.
 *
 * A branch is an ordinary description with one more `reseed` event, so every particle can be flown again from its
 * start.
 */
import { FlightSession, type Registry, type ResolvedFlight, type RandomStream, type Snapshot } from "@escapement/core";
import type { SplittingProcess } from "./levels.ts";

/** A sample at which the score rose. */
interface Rise {
  readonly score: number;
  /** The flight just after the sample; undefined if it was over. */
  readonly snapshot: Snapshot | undefined;
}

interface FlightParticle {
  readonly resolved: ResolvedFlight;
  readonly score: number;
  readonly rises: readonly Rise[];
}

interface FlightProcessOptions {
  /** Flight n of those that start from the beginning. */
  readonly flight: (n: number) => ResolvedFlight;
  /** A number that never falls during a flight; the event is that it exceeds the target. */
  readonly scoreOf: (session: FlightSession) => number;
  /** Seeds of branches. */
  readonly random: RandomStream;
  readonly registry?: Registry;
  /** Flight time between samples. */
  readonly everyUs?: number;
}

const EVERY_US = 500_000;
const TWO_52 = 4503599627370496;

export class FlightProcess implements SplittingProcess<FlightParticle> {
  private readonly options: FlightProcessOptions;
  private started = 0;
  private flown = 0;

  constructor(options: FlightProcessOptions) {
    this.options = options;
  }

  /** Flight time that was flown, without the beginnings that branches share with their parents. */
  get flownUs(): number {
    return this.flown;
  }

  start(): FlightParticle {
    const resolved = this.options.flight(this.started);
    this.started += 1;
    return this.flyOn(this.session(resolved), []);
  }

  branch(parent: FlightParticle, level: number): FlightParticle {
    const { score, snapshot } = parent.rises.find((rise) => rise.score > level)!;
    // The flight was over at that sample: a branch has nothing left to draw.
    if (snapshot === undefined) return parent;
    const session = this.session(parent.resolved);
    session.load(snapshot);
    const seed = Math.floor(this.options.random.uniform() * TWO_52);
    const { session: child } = session.branch({ atUs: session.nowUs, events: [{ reseed: { seed } }] });
    return this.flyOn(child, [{ score, snapshot: child.save() }]);
  }

  scoreOf({ score }: FlightParticle): number {
    return score;
  }

  private session(resolved: ResolvedFlight): FlightSession {
    const { registry } = this.options;
    return new FlightSession(resolved, {
      checkpointEveryUs: Infinity,
      ...(registry === undefined ? {} : { registry }),
    });
  }

  private flyOn(session: FlightSession, before: readonly Rise[]): FlightParticle {
    const { scoreOf, everyUs = EVERY_US } = this.options;
    const rises = [...before];
    const fromUs = session.nowUs;
    let best = before.at(-1)?.score ?? -Infinity;
    for (let look = Math.floor(fromUs / everyUs) + 1; !session.isOver; look += 1) {
      session.advance(look * everyUs);
      const score = scoreOf(session);
      if (!(score > best)) continue;
      best = score;
      rises.push({ score, snapshot: session.isOver ? undefined : session.save() });
    }
    this.flown += session.nowUs - fromUs;
    return { resolved: session.resolved, score: best, rises };
  }
}
