/** Parts of the page are painted in order, and those that can wait are spread over frames. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Frame } from "./frame.ts";

let callbacks: ((nowMs: number) => void)[] = [];
let nowMs = 0;

beforeEach(() => {
  callbacks = [];
  nowMs = 0;
  vi.stubGlobal("requestAnimationFrame", (callback: (nowMs: number) => void) => callbacks.push(callback));
  vi.stubGlobal("performance", { now: () => nowMs });
});
afterEach(() => vi.unstubAllGlobals());

/** Runs the requested frame, and returns whether there was one. */
function runFrame(): boolean {
  const [callback] = callbacks.splice(0);
  callback?.(nowMs);
  return callback !== undefined;
}

describe("a frame", () => {
  it("paints changed parts once, in the order of the page", () => {
    const frame = new Frame();
    const painted: string[] = [];
    const plots = frame.part("plots", () => painted.push("plots"));
    const scene = frame.part("scene", () => painted.push("scene"));
    plots();
    scene();
    plots.soon();
    expect(runFrame()).toBe(true);
    expect(painted).toEqual(["scene", "plots"]);
    expect(runFrame()).toBe(false);
  });

  it("paints parts that can wait over several frames, the longest waiting first", () => {
    const frame = new Frame();
    const painted: string[] = [];
    const [a, b, c] = ["a", "b", "c"].map((name) =>
      frame.part("rest", () => {
        painted.push(name);
        nowMs += 3;
      }),
    );
    a!.soon();
    b!.soon();
    c!.soon();
    runFrame();
    expect(painted).toEqual(["a", "b"]);
    a!.soon();
    // The next frame is too early for parts that can wait.
    runFrame();
    expect(painted).toEqual(["a", "b"]);
    nowMs += 45;
    runFrame();
    expect(painted).toEqual(["a", "b", "c", "a"]);
    expect(runFrame()).toBe(false);
  });

  it("leaves parts that can wait to the next frame if it starts late, for at most 100 ms", () => {
    const frame = new Frame();
    let painted = 0;
    const rows = frame.part("plots", () => (painted += 1));
    /** Runs the requested frame, `lateMs` after its time. */
    const runLate = (lateMs: number) => {
      const startMs = nowMs;
      nowMs += lateMs;
      callbacks.splice(0)[0]!(startMs);
      nowMs = startMs;
    };
    rows.soon();
    runFrame();
    expect(painted).toBe(1);
    // Rows arrive before each of the next frames, one every 16 ms.
    const seen = Array.from({ length: 14 }, () => {
      rows.soon();
      nowMs += 16;
      runLate(5);
      return painted;
    });
    expect(seen).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3]);
    rows.soon();
    nowMs += 45;
    runLate(3);
    expect(painted).toBe(4);
  });
});
