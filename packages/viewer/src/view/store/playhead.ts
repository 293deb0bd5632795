/**
 * The playhead: the instant that everything on the page shows, in whole microseconds.
 *
 * Moving it only looks up rows and flies nothing. Only a step to the next boundary needs the engine, because boundaries
 * between log rows are not kept.
 */
import type { Connection } from "./connection.ts";
import { PACES, type ViewState } from "./state.ts";

/** Playback advances by at most this wall time per frame, so that it does not jump after a pause of the page. */
const MAX_CATCH_UP_MS = 250;

type StepUnit = "row" | "tick" | "boundary";

export class Playhead {
  private readonly state: ViewState;
  private readonly engine: Connection;
  private lastMs: number | undefined;
  /** The time with its fraction of a microsecond, so that slow playback does not stall. */
  private exactUs = 0;

  constructor(state: ViewState, engine: Connection) {
    this.state = state;
    this.engine = engine;
  }

  /** Goes to a time, limited to the time that has been flown. */
  goTo(tUs: number): void {
    const { nowUs, isLive } = this.state;
    const edgeUs = this.edgeUs();
    nowUs.value = Math.max(0, Math.min(edgeUs, Math.round(tUs)));
    this.exactUs = nowUs.peek();
    isLive.value = isLive.peek() && nowUs.peek() >= edgeUs;
  }

  /**
   * Returns the latest time that can be shown. While a new branch has no rows yet, the other flights determine this
   * time.
   */
  private edgeUs(): number {
    const { active, flights } = this.state;
    const flight = active.peek();
    const known = flight?.head.peek() === undefined ? flights.peek() : [flight];
    return Math.max(0, ...known.map(({ flownUs }) => flownUs.peek()));
  }

  play(): void {
    const { isPlaying, isReversed, nowUs, active } = this.state;
    const flight = active.peek();
    if (flight?.end.peek() !== undefined && !isReversed.peek() && nowUs.peek() >= flight.endUs) this.goTo(0);
    this.lastMs = undefined;
    isPlaying.value = true;
  }

  pause(): void {
    this.state.isPlaying.value = false;
  }

  toggle(): void {
    if (this.state.isPlaying.peek()) this.pause();
    else this.play();
  }

  /** Switches to the next slower (−1) or faster (1) pace. */
  changePace(direction: -1 | 1): void {
    const { pace } = this.state;
    const index = PACES.findIndex((each) => each >= pace.peek());
    pace.value = PACES[Math.max(0, Math.min(PACES.length - 1, index + direction))]!;
  }

  /** Advances playback to a wall time in milliseconds. Call it once per frame. */
  tick(wallMs: number): void {
    const { isPlaying, isReversed, pace, nowUs } = this.state;
    if (!isPlaying.peek()) return;
    const elapsedMs = this.lastMs === undefined ? 0 : wallMs - this.lastMs;
    this.lastMs = wallMs;
    if (!(elapsedMs > 0)) return;
    if (Math.round(this.exactUs) !== nowUs.peek()) this.exactUs = nowUs.peek();
    const { fromUs, toUs } = this.playedSpan();
    const nextUs =
      this.exactUs + (isReversed.peek() ? -1 : 1) * Math.min(elapsedMs, MAX_CATCH_UP_MS) * 1000 * pace.peek();
    const isOut = isReversed.peek() ? nextUs < fromUs : nextUs > toUs;
    this.exactUs = isOut ? this.atSpanEnd(fromUs, toUs) : nextUs;
    nowUs.value = Math.round(this.exactUs);
  }

  /** Steps by a log row, an autopilot tick or a boundary. */
  async step(direction: -1 | 1, unit: StepUnit): Promise<void> {
    this.pause();
    const flight = this.state.active.peek();
    const head = flight?.head.peek();
    if (flight === undefined || head === undefined) return;
    const nowUs = this.state.nowUs.peek();
    if (unit === "boundary" && head.canBranch) {
      const found = await this.engine.ask("exact", { do: "exact", id: flight.id, tUs: nowUs });
      const toUs = direction < 0 || found!.tUs > nowUs ? found?.previousUs : found?.nextUs;
      return this.goTo(direction > 0 && found !== undefined && found.tUs > nowUs ? found.tUs : (toUs ?? nowUs));
    }
    if (unit === "tick" && head.autopilotPeriodUs > 0) {
      const period = head.autopilotPeriodUs;
      const tick = direction > 0 ? Math.floor(nowUs / period) + 1 : Math.ceil(nowUs / period) - 1;
      return this.goTo(tick * period);
    }
    const rows = flight.rows.peek();
    const at = rows.rowAt(direction > 0 ? nowUs : nowUs - 1);
    const row = direction > 0 ? at + 1 : at;
    if (row >= 0 && row < rows.count) this.goTo(rows.timeUs(row));
  }

  /** Goes to the next or previous event of the active flight, or only to warnings. */
  stepEvent(direction: -1 | 1, only: "all" | "warnings" = "all"): void {
    const nowUs = this.state.nowUs.peek();
    const times = (this.state.active.peek()?.events.peek() ?? [])
      .filter(({ severity }) => only === "all" || severity === "warning")
      .map(({ tUs }) => tUs)
      .filter((tUs) => (direction > 0 ? tUs > nowUs : tUs < nowUs));
    if (times.length > 0) this.goTo(direction > 0 ? Math.min(...times) : Math.max(...times));
  }

  private playedSpan(): { readonly fromUs: number; readonly toUs: number } {
    const { isLooping, marks, active } = this.state;
    const { aUs, bUs } = marks.peek();
    if (isLooping.peek() && aUs !== undefined && bUs !== undefined) {
      return { fromUs: Math.min(aUs, bUs), toUs: Math.max(aUs, bUs) };
    }
    return { fromUs: 0, toUs: active.peek()?.flownUs.peek() ?? 0 };
  }

  /**
   * Returns the time at which playback continues when it reaches an end of its span. It starts over if it loops.
   * Otherwise it stays there, and pauses unless it waits for a flight that is still being flown.
   */
  private atSpanEnd(fromUs: number, toUs: number): number {
    const { isLooping, isReversed, active } = this.state;
    if (isLooping.peek()) return isReversed.peek() ? toUs : fromUs;
    if (isReversed.peek()) this.pause();
    // If the flight is still being flown, keep playing and wait for it.
    else if (active.peek()?.state.peek() === "ended") this.pause();
    return isReversed.peek() ? fromUs : toUs;
  }
}

/**
 * Parses a typed time: `24.004`, `24 s`, `1:12.5`, or relative to the playhead, `+3`, `-0.5`. Returns undefined if the
 * text is not a time.
 */
export function parseTime(text: string, nowUs: number): number | undefined {
  const found = /^\s*([+-]?)(?:(\d+):)?(\d+(?:\.\d*)?|\.\d+)\s*s?\s*$/.exec(text);
  if (found === null) return undefined;
  const [, sign, minutes = "0", seconds] = found;
  const us = Math.round((Number(minutes) * 60 + Number(seconds)) * 1e6);
  if (sign === "") return us;
  return Math.max(0, nowUs + (sign === "+" ? us : -us));
}
