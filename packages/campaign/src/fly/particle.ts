/**
 * Flies a flight of a plan `splitting`. The score is checked at a fixed period of flight time; if it has risen, a
 * checkpoint is kept, from which later flights can branch.
 *
 * A branch continues from its parent's checkpoint. If there is none, e.g. after a restart or on another machine, it is
 * flown from the start of the flight. Both give the same row.
 */
import { type FlightResult, FlightSession, type ResolvedFlight, Snapshot } from "@escapement/core";
import type { Row } from "@escapement/formats";
import { scoreOf } from "../splitting/splitting-search.ts";

/** By default, the score is checked this many times per flight, but at least once per `MAX_CHECK_PERIOD_S`. */
const CHECKS_PER_FLIGHT = 60;
const MAX_CHECK_PERIOD_S = 0.5;

/** A checkpoint as plain data, which can be sent to another thread. */
interface Checkpoint {
  readonly tUs: number;
  readonly flightHash: string;
  readonly sections: readonly { readonly name: string; readonly values: Float64Array }[];
}
export type Checkpoints = readonly Checkpoint[];

export interface ParticleBranch {
  readonly atUs: number;
  /** A checkpoint of the parent at the instant of the branch. */
  readonly checkpoint?: { readonly of: ResolvedFlight; readonly from: Checkpoint };
}

interface ParticleOptions extends NonNullable<ConstructorParameters<typeof FlightSession>[1]> {
  /** Index of the requirement from whose margin the score is computed. */
  readonly requirement: number;
  /** Time between two checks of the score; 0 for the default. */
  readonly checkPeriodS: number;
  /** Undefined if the flight is not a branch. */
  readonly branch: ParticleBranch | undefined;
}

interface FlownParticle {
  readonly result: FlightResult;
  readonly rises: NonNullable<Row["rises"]>;
  readonly checkpoints: Checkpoints;
}

export function flyParticle(
  resolved: ResolvedFlight,
  { requirement, checkPeriodS, branch, ...given }: ParticleOptions,
): FlownParticle {
  const periodUs = checkPeriodUs(checkPeriodS, resolved.definition.timeline.endS);
  const options = { ...given, checkpointEveryUs: Infinity };
  const session = openSession(resolved, branch, options);
  const rises: [number, number][] = [];
  const checkpoints: Checkpoint[] = [];
  const keepIfRisen = () => {
    const score = scoreOf(session.result().verdicts[requirement]);
    if (!(score > (rises.at(-1)?.[1] ?? -Infinity))) return;
    rises.push([session.nowUs, score]);
    if (!session.isOver) checkpoints.push(plainCheckpoint(session));
  };
  if (branch !== undefined) {
    session.advance(branch.atUs);
    keepIfRisen();
  }
  const nextCheckUs = () => (Math.floor(session.nowUs / periodUs) + 1) * periodUs;
  for (let tUs = nextCheckUs(); !session.isOver; tUs = nextCheckUs()) {
    session.advance(tUs);
    keepIfRisen();
  }
  return { result: session.result(), rises, checkpoints };
}

function openSession(
  resolved: ResolvedFlight,
  branch: ParticleBranch | undefined,
  options: ConstructorParameters<typeof FlightSession>[1],
): FlightSession {
  if (branch?.checkpoint === undefined) return new FlightSession(resolved, options);
  const { of, from } = branch.checkpoint;
  const { sections, flightHash } = from;
  const parent = new FlightSession(of, options);
  return parent.branchTo(resolved, branch.atUs, { from: new Snapshot(sections, flightHash) }).session;
}

function checkPeriodUs(givenS: number, endS: number): number {
  const periodS = givenS > 0 ? givenS : Math.min(MAX_CHECK_PERIOD_S, endS / CHECKS_PER_FLIGHT);
  return Math.max(1, Math.round(periodS * 1e6));
}

/**
 * Copies the values of every section. Sections may be views of one buffer, and a message would copy the whole buffer
 * for each of them.
 */
function plainCheckpoint(session: FlightSession): Checkpoint {
  const { sections, flightHash } = session.save();
  return {
    tUs: session.nowUs,
    flightHash,
    sections: sections.map(({ name, values }) => ({ name, values: values.slice() })),
  };
}
