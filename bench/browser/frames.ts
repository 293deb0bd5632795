/**
 * Measures the page with its 3-D scene off: the intervals between frames while the worker simulates a flight and while
 * the page is idle, and the processor time of the page's thread per pointer move on the timeline.
 */
import type { CDPSession, Page } from "playwright-core";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { isFlown, until, type ViewBench } from "../../tests/support/view-page.ts";
import type { PageEffort, Pair } from "./pair.ts";

declare const escapement: Store;

/** The number of frames to skip after a flight, while the page still draws the end of that flight. */
const SETTLING_FRAMES = 30;
const IDLE_FRAMES = 120;

interface FrameTimes {
  /** The 95th percentile of the intervals between frames: while the worker simulates a flight, and on an idle page. */
  readonly intervals: readonly Pair[];
  /** The processor time per pointer move, and the median interval between frames on an idle page. */
  readonly scrubs: readonly Pair[];
}

export async function measureFrames(bench: ViewBench, effort: PageEffort): Promise<FrameTimes> {
  const { page } = await bench.open({ hasWebGl: false, hasAllFrames: true });
  const session = await page.context().newCDPSession(page);
  // Measure processor time, which other programs do not affect.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const intervals: Pair[] = [];
  const scrubs: Pair[] = [];
  // The first flight only warms up the page.
  for (let i = 0; i <= effort.frameRounds; i += 1) {
    const flying = await flyToEnd(page, effort.flightS, i);
    await idleFrames(page, SETTLING_FRAMES);
    const idle = await idleFrames(page, IDLE_FRAMES);
    const workMs = await scrub(page, session, effort.moves);
    if (i === 0) continue;
    intervals.push({ measured: percentile(flying, 0.95), base: percentile(idle, 0.95) });
    scrubs.push({ measured: workMs, base: percentile(idle, 0.5) });
  }
  await page.close();
  return { intervals, scrubs };
}

/** Flies a new flight, and returns the intervals between the frames until its end. */
async function flyToEnd(page: Page, endS: number, seed: number): Promise<number[]> {
  const text = `extends = "hover"\nseed = ${seed}\n\n[timeline]\nendS = ${endS}\n`;
  await page.evaluate((given) => {
    const { state } = escapement;
    for (const { id } of state.flights.value) escapement.remove(id);
    const times: number[] = [];
    Object.assign(globalThis, { times });
    const frame = (nowMs: number) => {
      const flight = state.active.value;
      if (flight?.end.value !== undefined) return;
      // Start at the first rows; until then the page is still being built.
      if ((flight?.rowCount.value ?? 0) > 0) times.push(nowMs);
      requestAnimationFrame(frame);
    };
    void escapement.open(given).then(() => requestAnimationFrame(frame));
  }, text);
  await until(page, isFlown);
  return intervalsOf(await page.evaluate(() => (globalThis as unknown as { times: number[] }).times));
}

async function idleFrames(page: Page, count: number): Promise<number[]> {
  const times = await page.evaluate(
    (wanted) =>
      new Promise<number[]>((resolve) => {
        const seen: number[] = [];
        const frame = (nowMs: number) => {
          seen.push(nowMs);
          if (seen.length > wanted) resolve(seen);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    count,
  );
  return intervalsOf(times);
}

/** Drags the pointer over the timeline, one move per frame. Returns the page's processor time per move, in ms. */
async function scrub(page: Page, session: CDPSession, moves: number): Promise<number> {
  const { x, y, width } = (await page.locator(".time-track").boundingBox())!;
  // The ruler is wider than the flight, so leave out both ends.
  const places = Array.from({ length: moves + 1 }, (_, i) => x + width * (0.05 + (0.9 * i) / moves));
  await page.mouse.move(places[0]!, y + 15);
  await page.mouse.down();
  await idleFrames(page, 2);
  const beforeMs = await workMs(session);
  const shownTimes = await page.evaluate(movePointer, places.slice(1));
  const afterMs = await workMs(session);
  await page.mouse.up();
  if (shownTimes < moves)
    throw new Error(`the page showed only ${shownTimes} different times for ${moves} pointer moves`);
  return (afterMs - beforeMs) / moves;
}

/**
 * Moves the pointer, which the timeline has captured, and returns how many different times the page has shown. It runs
 * in the page, because each command from outside would add work to the page's thread.
 */
async function movePointer(places: readonly number[]): Promise<number> {
  const track = document.querySelector(".time-track")!;
  const seen = new Set<number>();
  for (const clientX of places) {
    track.dispatchEvent(new PointerEvent("pointermove", { clientX, movementX: 1, pointerId: 1, bubbles: true }));
    await new Promise(requestAnimationFrame);
    seen.add(escapement.state.nowUs.value);
  }
  return seen.size;
}

/** Returns the processor time of the page's thread so far: scripts, layout and painting. */
async function workMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration")!.value;
}

function intervalsOf(times: readonly number[]): number[] {
  return times.slice(1).map((ms, i) => ms - times[i]!);
}

function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))]!;
}
