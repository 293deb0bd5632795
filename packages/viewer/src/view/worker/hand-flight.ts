/**
 * A flight that is being flown by hand: it flies only as far as the page requests, with the page's stick positions.
 *
 * The sticks move at ticks of the autopilot, and every movement is kept. When the pilot ends the flight by hand, the
 * movements become the series of one event. The description with this event is then flown as an ordinary flight, with
 * the same rows.
 */
import { type ActionName, Scenario, secondsToUs, STICKS } from "@escapement/core";
import { addEvents, setTimelineEnd } from "@escapement/formats";
import type { EventSpec, FlightHead, FlightId, StickMove, StickPositions } from "../protocol.ts";
import { type FlightSource, FlownFlight } from "./flown-flight.ts";
import { mustResolveText } from "./texts.ts";

/** Limit on the duration of a flight by hand. It replaces the end in the description. */
const MAX_DURATION_S = 3600;
/** The description continues at least this long after the flight by hand. */
const MIN_REST_S = 30;
const CENTRED: StickPositions = [0, 0, 0, 0];

interface HandStart {
  readonly id: FlightId;
  readonly name: string;
  /** When the pilot takes the sticks: a tick of the autopilot. */
  readonly atUs: number;
  /** Whether the vehicle must be armed first. */
  readonly arms: boolean;
  /** The part that an earlier worker has flown. */
  readonly flown?: { readonly moves: readonly StickMove[]; readonly untilUs: number };
}

export class HandFlight {
  readonly flight: FlownFlight;
  readonly parent: FlownFlight;
  private readonly start: HandStart;
  private readonly endUs: number;
  /** Up to this time the movements are those that an earlier worker recorded. */
  private readonly knownUs: number;
  private readonly moves: StickMove[] = [];
  private readonly onMove: (move: StickMove) => void;

  constructor(start: HandStart, parent: FlownFlight, onMove: (move: StickMove) => void) {
    const { moves, untilUs } = start.flown ?? { moves: [], untilUs: start.atUs - 1 };
    this.start = start;
    this.parent = parent;
    this.onMove = onMove;
    for (const move of moves) this.recordMove(move);
    this.knownUs = Math.max(untilUs + 1, moves.at(-1)?.tUs ?? 0);
    this.endUs = parent.head().endUs;
    const text = setTimelineEnd(this.text(), start.atUs / 1e6 + MAX_DURATION_S);
    this.flight = new FlownFlight(start.id, this.sourceOf(text), parent);
    this.flight.reach(this.knownUs);
  }

  get head(): FlightHead {
    const whyNot = "it is being flown by hand";
    return { ...this.flight.head(), text: this.text(), endUs: this.endUs, canBranch: false, whyNot };
  }

  /** Moves the sticks at the autopilot's next tick if they differ, and lets the flight continue to a time. */
  steer(positions: StickPositions, untilUs: number): void {
    const { session } = this.flight;
    const last = this.moves.at(-1)?.sticks ?? CENTRED;
    const isMoved = positions.some((each, i) => each !== last[i]);
    // The sticks can move only after the event at the start has run.
    if (isMoved && session.nowUs > this.start.atUs && session.nowUs >= this.knownUs) this.move(positions);
    this.flight.reach(Math.max(untilUs, this.knownUs));
  }

  /** Returns the description of the whole flight. At the end the sticks are released, and an action may follow. */
  finish(action?: ActionName): FlightSource {
    const endUs = this.nextTickUs();
    const isOver = this.flight.isOver;
    if (!isOver && this.moves.length > 0) this.recordMove({ tUs: endUs, sticks: CENTRED });
    const events = isOver || action === undefined ? [] : [{ at: `${endUs / 1e6} s`, [action]: {} }];
    const text = addEvents(this.text(), events);
    const restUs = secondsToUs(MIN_REST_S);
    if (endUs + restUs <= this.endUs) return this.sourceOf(text);
    return this.sourceOf(setTimelineEnd(text, Math.ceil((endUs + restUs) / 1e6)));
  }

  private move(positions: StickPositions): void {
    const scenario = this.flight.session.flight.parts.scenario;
    if (!(scenario instanceof Scenario)) return;
    const tUs = this.nextTickUs();
    scenario.steer(tUs, positions);
    this.recordMove({ tUs, sticks: positions });
    this.onMove({ tUs, sticks: positions });
  }

  /** Records a movement. It replaces an earlier one at the same tick. */
  private recordMove(move: StickMove): void {
    if (this.moves.at(-1)?.tUs === move.tUs) this.moves.pop();
    this.moves.push(move);
  }

  /**
   * Returns the autopilot's first tick after the present boundary, and after everything that an earlier worker flew.
   */
  private nextTickUs(): number {
    const { autopilotPeriodUs } = this.flight.head();
    const periodUs = autopilotPeriodUs > 0 ? autopilotPeriodUs : 1;
    const { session, isOver } = this.flight;
    const nowUs = isOver ? session.nowUs : Math.max(session.nowUs, this.knownUs);
    return (Math.floor(nowUs / periodUs) + 1) * periodUs;
  }

  private text(): string {
    const { atUs, arms } = this.start;
    const at = `${atUs / 1e6} s`;
    return addEvents(this.parent.source.text, [...(arms ? [{ at, arm: {} }] : []), { at, sticks: this.sticks() }]);
  }

  /** Returns the parameters of the event; axes that never move are left out. */
  private sticks(): EventSpec {
    if (this.moves.length === 0) return {};
    const timesS = this.moves.map(({ tUs }) => (tUs - this.start.atUs) / 1e6);
    const axes = STICKS.flatMap((name, i) => {
      const values = this.moves.map(({ sticks }) => sticks[i]!);
      return values.some((value) => value !== 0) ? [[name, values]] : [];
    });
    return { series: { timesS, ...Object.fromEntries(axes) } };
  }

  private sourceOf(text: string): FlightSource {
    const { files } = this.parent.source;
    return { name: this.start.name, text, files, resolved: mustResolveText(text, files) };
  }
}
