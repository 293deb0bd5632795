/**
 * Tests everything that a reader can do in the viewer, by pointer and by keyboard, in a real browser. The tests check
 * the state of the page and its texts, not its pixels.
 *
 * Most pages here have no WebGL, which also tests the flat drawing: a machine without a graphics card draws it much
 * faster.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACTION_NAMES, flyFlightNow } from "@escapement/core";
import { mustResolveText } from "../../packages/viewer/src/view/worker/texts.ts";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import {
  crashEngine,
  goTo,
  nowUs,
  openFlight,
  openText,
  seriousFindings,
  SLOW_MS,
  until,
  ViewBench,
  watchWorkers,
} from "../support/view-page.ts";

declare const escapement: Store;

/** A hover with a boundary every millisecond, more often than the log. */
const HOVER = 'extends = "hover"\n\n[timeline]\nendS = 14\nphysicsPeriodS = 0.001\n';

/** A mission with take-off, one waypoint and landing, in QGroundControl's old format. */
const WAYPOINTS = `QGC WPL 110
0\t1\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t10\t1
1\t0\t3\t16\t0\t0\t0\t0\t47.397842\t8.545594\t10\t1
2\t0\t3\t21\t0\t0\t0\t0\t47.397842\t8.545594\t0\t1
`;
const folder = mkdtempSync(join(tmpdir(), "escapement-view-"));
let bench: ViewBench;
beforeAll(async () => {
  bench = await ViewBench.start();
}, 4 * SLOW_MS);
afterAll(async () => {
  await bench.stop();
  rmSync(folder, { recursive: true });
});

/** Opens a page with a short flight, without WebGL. */
async function openHover(text = HOVER): Promise<Page> {
  const { page, problems } = await bench.open({ hasWebGl: false });
  await openText(page, text);
  page.once("close", () => expect(problems).toEqual([]));
  return page;
}

const flightCount = (page: Page) => page.evaluate(() => escapement.state.flights.value.length);
const activeName = (page: Page) => page.evaluate(() => escapement.state.active.value!.name.value);
const span = (page: Page) => page.evaluate(() => escapement.state.span.value);
/** Returns an assertion that is repeated until it holds, because the page paints in its next frames. */
const soon = (page: Page, selector: string) => ({
  count: (wanted: number) => expect.poll(() => page.locator(selector).count(), { timeout: SLOW_MS }).toBe(wanted),
  hidden: () => expect.poll(() => page.locator(selector).first().isHidden(), { timeout: SLOW_MS }).toBe(true),
  text: (wanted: string | RegExp) =>
    expect.poll(() => page.locator(selector).first().textContent(), { timeout: SLOW_MS }).toMatch(wanted),
});
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number], steps = 8) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await page.mouse.up();
}

async function waitForFlights(page: Page, count: number): Promise<void> {
  await until(
    page,
    (wanted) => {
      const flights = escapement.state.flights.value;
      return flights.length === wanted && flights.every(({ end }) => end.value !== undefined);
    },
    count,
  );
}

/** Flies a text here from its start, and returns its fingerprint. */
function fingerprintOf(text: string): string {
  return flyFlightNow(mustResolveText(text, {})).fingerprint;
}

const activeFlight = (page: Page) =>
  page.evaluate(() => {
    const { head, end, fork } = escapement.state.active.value!;
    return { text: head.value!.text!, fingerprint: end.value!.fingerprint, forkUs: fork.value?.forkUs };
  });

describe("time", { timeout: 4 * SLOW_MS }, () => {
  it("scrubs: 60 moves over the timeline show 60 different times, and all parts show the same time", async () => {
    const page = await openHover();
    const track = await boxOf(page, ".time-track");
    const y = track.y + 15;
    await page.mouse.move(track.x + 20, y);
    await page.mouse.down();
    const seen = new Set<number>();
    for (let i = 1; i <= 60; i += 1) {
      await page.mouse.move(track.x + 20 + i * 14, y);
      seen.add(await nowUs(page));
    }
    expect(seen.size).toBe(60);
    // The pointer is captured, so it may leave the timeline.
    await page.mouse.move(track.x + 200, track.y - 300);
    const upThere = await nowUs(page);
    await page.mouse.move(5, y);
    expect(await nowUs(page)).toBe(0);
    await page.mouse.up();
    expect(upThere).toBeGreaterThan(0);
    await goTo(page, 7_123_000);
    await until(page, () => document.querySelector(".hud-head .time")!.textContent!.startsWith("7.123"));
    expect(await page.locator(".time-track").getAttribute("aria-valuenow")).toBe("7.123");
    expect(await page.locator(".time-track").getAttribute("aria-valuetext")).toMatch(/^7\.12 seconds, mission/);
    await until(page, () => location.hash.endsWith("&t=7.123"));
    await page.keyboard.press("ArrowRight");
    expect(await nowUs(page)).toBe(8_123_000);
    await page.keyboard.press("End");
    expect(await nowUs(page)).toBe(14_000_000);
    await page.keyboard.press("Home");
    expect(await nowUs(page)).toBe(0);
    // A drag with Shift in the scene scrubs; a click in a plot moves the playhead there.
    const stage = await boxOf(page, ".scene");
    await page.keyboard.down("Shift");
    await drag(page, [stage.x + 400, stage.y + 300], [stage.x + 600, stage.y + 300]);
    await page.keyboard.up("Shift");
    expect(await nowUs(page)).toBeGreaterThan(0);
    const plot = await boxOf(page, ".plot .u-over");
    await page.mouse.click(plot.x + plot.width / 2, plot.y + 20);
    expect(Math.abs((await nowUs(page)) - 7e6)).toBeLessThan(200_000);
    await page.close();
  });

  it("shows 60 poses for 60 moves over a flight of 10 minutes, and the same instant everywhere", async () => {
    const { page } = await bench.open({ hasWebGl: false });
    await page.evaluate(async () => {
      await escapement.open('extends = "hover"\n\n[timeline]\nendS = 600\n');
    });
    await until(page, () => {
      const { id, state, end } = escapement.state.active.value!;
      // On a busy machine the flight pauses at the limit of wall time.
      if (state.value === "waiting") escapement.reach(id);
      return end.value !== undefined;
    });
    await page.waitForSelector(".plot canvas");
    const track = await boxOf(page, ".time-track");
    await page.mouse.move(track.x + 20, track.y + 15);
    await page.mouse.down();
    const poses = new Set<string>();
    for (let i = 1; i <= 60; i += 1) {
      await page.mouse.move(track.x + 20 + i * 14, track.y + 15);
      // Reads what the page shows after it has painted the move.
      const shown = await page.evaluate(async () => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const { active, nowUs: now } = escapement.state;
        const rows = active.value!.rows.value;
        const row = rows.rowAt(now.value);
        const textOf = (selector: string) => document.querySelector(selector)!.textContent;
        return {
          nowS: now.value / 1e6,
          pose: [0, 1, 2].map((axis) => rows.value(rows.place("posNed", axis), row)).join(),
          altitude: Math.abs(rows.value(rows.place("posNed", 2), row)),
          hud: textOf(".hud-head .time b"),
          slider: document.querySelector(".time-track")!.getAttribute("aria-valuenow"),
          legend: textOf(".plot .legend b"),
        };
      });
      poses.add(shown.pose);
      expect([shown.hud, Number(shown.slider)]).toEqual([shown.nowS.toFixed(3), shown.nowS]);
      expect(Math.abs(Number(shown.legend) - shown.altitude)).toBeLessThan(0.1);
    }
    expect(poses.size).toBe(60);
    await page.mouse.up();
    const nowS = (await nowUs(page)) / 1e6;
    await until(page, (tS) => location.hash.endsWith(`&t=${tS}`), nowS);
    await page.close();
  });

  it("plays, changes the pace, reverses and loops over the marked span", async () => {
    const page = await openHover();
    await page.keyboard.press("Space");
    await until(page, () => escapement.state.nowUs.value > 300_000);
    await page.locator('[aria-label="Pause"]').click();
    expect(await page.evaluate(() => escapement.state.isPlaying.value)).toBe(false);
    for (let i = 0; i < 4; i += 1) await page.keyboard.press(">");
    expect(await page.locator(".pace").textContent()).toBe("16×");
    for (let i = 0; i < 20; i += 1) await page.keyboard.press("<");
    expect(await page.locator(".pace").textContent()).toBe("1/32×");
    await page.locator(".pace").click();
    expect(await page.locator(".pace").textContent()).toBe("1/16×");
    await page.evaluate(() => {
      escapement.state.pace.value = 16;
      escapement.state.marks.value = { aUs: 2_000_000, bUs: 6_000_000 };
      escapement.playhead.goTo(3_000_000);
    });
    await page.keyboard.press("Shift+L");
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(globalThis, { seen });
      escapement.state.nowUs.subscribe((tUs) => seen.push(tUs));
    });
    await page.locator('[aria-label="Play"]').click();
    await until(page, () => {
      const { seen } = globalThis as unknown as { seen: number[] };
      return seen.some((tUs, i) => i > 0 && tUs < seen[i - 1]!);
    });
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(2_000_000);
    expect(Math.max(...seen)).toBeLessThanOrEqual(6_000_000);
    await page.keyboard.press("Shift+Space");
    expect(await page.locator(".pace").textContent()).toBe("−16×");
    await until(page, () => {
      const { seen } = globalThis as unknown as { seen: number[] };
      return seen.length > 2 && seen.at(-1)! < 6_000_000 && seen.at(-1)! < seen.at(-2)!;
    });
    await page.close();
  });

  it("plays 5 s of the flight in 5 s at pace 1, and stops while the page is hidden", async () => {
    const { page } = await bench.open({ hasWebGl: false, hasAllFrames: true });
    await openText(page, HOVER);
    // From here on, only the test moves the page's clock, and with it the frames.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    await goTo(page, 2_000_000);
    await page.keyboard.press("Space");
    await page.clock.runFor(100);
    const from = await nowUs(page);
    await page.clock.runFor(5000);
    const ratio = ((await nowUs(page)) - from) / 5e6;
    expect(ratio).toBeGreaterThan(0.99);
    expect(ratio).toBeLessThan(1.01);
    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await hide(true);
    const left = await nowUs(page);
    await page.clock.runFor(10_000);
    expect(await nowUs(page)).toBe(left);
    await hide(false);
    // Playback does not make up for the time in which the page was hidden.
    await page.keyboard.press("Space");
    await page.clock.runFor(100);
    const back = await nowUs(page);
    expect(back).toBeGreaterThan(left);
    expect(back).toBeLessThanOrEqual(left + 100_000);
    await page.close();
  });

  it("steps by rows, ticks (250 per second) and boundaries", async () => {
    const page = await openHover();
    await goTo(page, 5_000_000);
    await page.keyboard.press(".");
    expect(await nowUs(page)).toBe(5_020_000);
    await page.locator('[aria-label="One log row back"]').click();
    expect(await nowUs(page)).toBe(5_000_000);
    for (let i = 0; i < 250; i += 1) await page.keyboard.press("Control+.");
    expect(await nowUs(page)).toBe(6_000_000);
    await page.keyboard.press("Control+,");
    expect(await nowUs(page)).toBe(5_996_000);
    await page.keyboard.press("Alt+.");
    await until(page, () => escapement.state.nowUs.value === 5_997_000);
    for (const [typed, wanted] of [
      ["9.004", 9_004_000],
      ["0:12.5", 12_500_000],
      ["-3", 9_500_000],
    ] as const) {
      await page.keyboard.press("t");
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
      expect(await nowUs(page)).toBe(wanted);
    }
    await page.close();
  });

  it("steps through events, and previews one without moving the playhead", async () => {
    const { page } = await bench.open({ hasWebGl: false });
    await openFlight(page);
    const times = await page.evaluate(() => escapement.state.active.value!.events.value.map(({ tUs }) => tUs));
    const seen: number[] = [];
    for (const _ of new Set(times)) {
      await page.keyboard.press("n");
      seen.push(await nowUs(page));
    }
    expect(seen).toEqual([...new Set(times)].filter((tUs) => tUs > 0));
    await page.keyboard.press("Shift+N");
    expect(await nowUs(page)).toBe(seen.at(-2));
    await page.keyboard.press("Home");
    await page.keyboard.press("x");
    const trouble = await nowUs(page);
    expect(trouble).toBe(20_000_000);
    await page.getByRole("tab", { name: "Events" }).click();
    const rows = await page.locator(".event-list li").allTextContents();
    expect(rows.length).toBe(times.length);
    for (const row of rows) expect(row.trim()).toMatch(/^\d+\.\d\d s\s+(▲\s+)?\S/);
    const first = page.locator(".event-list button").first();
    await first.hover();
    expect(await page.evaluate(() => escapement.state.peekUs.value)).toBe(times[0]);
    expect(await nowUs(page)).toBe(trouble);
    await until(page, () => document.querySelector(".hud-head .time")!.textContent!.startsWith("1.000"));
    await first.focus();
    await page.keyboard.press("Enter");
    expect(await nowUs(page)).toBe(times[0]);
    await page.locator(".event-list button").last().click();
    expect(await nowUs(page)).toBe(times.at(-1));
    await page.close();
  });
});

/** Values for the fields of actions that change a whole section. */
const SETTINGS: Readonly<Record<string, string>> = {
  wind: 'kind = "constant", windNedMps = [1, 2, 0]',
  estimator: 'kind = "truth"',
  sensor: 'kind = "gnss", latencyS = 0.2',
  vehicle: "massKg = 1.6",
  integrator: 'kind = "rk43"',
};

describe("injecting events", { timeout: 6 * SLOW_MS }, () => {
  it("injects every action by keyboard alone, with the same bits as Node", async () => {
    const page = await openHover(`${HOVER}\n[sensors]\ngnss = true\n`);
    await goTo(page, 9_002_000);
    for (const [i, action] of ACTION_NAMES.entries()) {
      await page.keyboard.press("i");
      await page.waitForSelector(".popover select");
      for (let k = 0; k < i; k += 1) await page.keyboard.press("ArrowDown");
      const chosen = await page.evaluate(() => document.querySelector<HTMLSelectElement>(".popover select")!.value);
      expect(chosen).toBe(action);
      const free = SETTINGS[action];
      if (free !== undefined) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(free);
      }
      await page.keyboard.press("Enter");
      await waitForFlights(page, 2);
      const { text, fingerprint, forkUs } = await activeFlight(page);
      expect([action, text.includes(`${action} =`), forkUs]).toEqual([action, true, 9_004_000]);
      expect([action, fingerprint]).toEqual([action, fingerprintOf(text)]);
      await page.keyboard.press("Control+z");
      expect(await flightCount(page)).toBe(1);
    }
    await page.close();
  });

  it("injects by the rail and by single keys; Escape closes the form", async () => {
    const page = await openHover();
    await goTo(page, 8_000_000);
    await page.getByRole("button", { name: "Motor", exact: true }).click();
    await page.locator(".numbers-choice label").nth(2).click();
    expect(await page.locator(".popover .added").textContent()).toContain("motorOff = { motor = 3 }");
    await page.getByRole("button", { name: "Fly it" }).click();
    await waitForFlights(page, 2);
    expect(await activeName(page)).toBe("motor 3 off");
    await page.evaluate(() => escapement.activate(escapement.state.flights.value[0]!.id));
    await page.keyboard.press("r");
    await waitForFlights(page, 3);
    expect(await activeName(page)).toBe("return");
    await page.keyboard.press("g");
    await page.waitForSelector(".popover");
    await until(page, () => escapement.state.preview.value !== undefined);
    await page.keyboard.press("Escape");
    expect(await page.locator(".popover").count()).toBe(0);
    expect(await page.evaluate(() => escapement.state.preview.value)).toBeUndefined();
    // Keys run commands again, because no field has the focus.
    await page.keyboard.press("h");
    await waitForFlights(page, 4);
    await page.close();
  });

  it("sweeps a value, and shows the futures in one lane", async () => {
    const page = await openHover();
    await goTo(page, 8_000_000);
    await page.keyboard.press("g");
    await page.locator(".vary summary").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("4");
    await page.keyboard.press("Enter");
    await waitForFlights(page, 5);
    await soon(page, ".flight-list .flight").count(2);
    expect(await page.locator(".flight-list .flight").nth(1).textContent()).toContain("gust 4…12 m/s (4)");
    const texts = await page.evaluate(() => escapement.state.flights.value.map(({ head }) => head.value!.text!));
    await page.evaluate(() => escapement.activate(escapement.state.flights.value[0]!.id));
    await page.getByRole("button", { name: "Motor", exact: true }).click();
    await page.locator('.popover select[aria-label="What happens"]').selectOption("motorLoss");
    await page.locator(".vary summary").click();
    await page.locator(".vary input").first().fill("3");
    await page.getByRole("button", { name: "Fly all 3" }).click();
    await waitForFlights(page, 8);
    await soon(page, ".flight-list .flight").count(3);
    // Other seeds are a sweep too.
    await page.evaluate(() => escapement.activate(escapement.state.flights.value[0]!.id));
    await page.keyboard.press("Shift+V");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await waitForFlights(page, 10);
    await soon(page, ".flight-list .flight").count(4);
    expect(texts.slice(1).map((text) => /velNedMps = \[(.*)\]/.exec(text)![1])).toEqual([
      "0, 4, 0",
      "0, 6.66667, 0",
      "0, 9.33333, 0",
      "0, 12, 0",
    ]);
    await page.close();
  });

  it("branches: copies, renames, hides, makes independent, removes, and undoes each", async () => {
    const page = await openHover();
    for (const [i, at] of [6, 8, 10].entries()) {
      await goTo(page, at * 1e6);
      await page.keyboard.press("l");
      await waitForFlights(page, i + 2);
    }
    // A branch of a branch of a branch has the bits of its text flown from the start.
    const third = await activeFlight(page);
    expect(third.fingerprint).toBe(fingerprintOf(third.text));
    await page.keyboard.press("F2");
    await page.keyboard.type("the last one");
    await page.keyboard.press("Enter");
    expect(await activeName(page)).toBe("the last one");
    await page.keyboard.press("Shift+H");
    await soon(page, ".flight.hidden-flight").count(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await soon(page, ".flight.hidden-flight").count(0);
    await page.keyboard.press("Shift+R");
    expect(await page.evaluate(() => escapement.state.active.value!.fork.value)).toBeUndefined();
    await page.keyboard.press("Control+z");
    // Removing a parent keeps its branches, with the rows that they share with it.
    await page.keyboard.press("2");
    const rows = () => page.evaluate(() => escapement.state.flights.value.map((flight) => flight.rowCount.value));
    const before = await rows();
    await page.locator('[aria-label^="This flight"]').click();
    await page.getByRole("menuitem", { name: "remove" }).click();
    expect(await flightCount(page)).toBe(3);
    expect(await rows()).toEqual([before[0], before[2], before[3]]);
    await page.keyboard.press("Control+z");
    expect(await rows()).toEqual(before);
    await page.keyboard.press("Control+y");
    expect(await flightCount(page)).toBe(3);
    await page.close();
  });

  it("keeps eight branches beside their parent, each with the bits of its text", async () => {
    const page = await openHover();
    for (let i = 1; i <= 8; i += 1) {
      await page.keyboard.press("1");
      await goTo(page, (5 + i) * 1e6);
      await page.keyboard.press("l");
      await waitForFlights(page, i + 1);
    }
    await soon(page, ".flight-list .flight").count(9);
    expect(await page.locator(".flight-list .key").allTextContents()).toEqual([..."abcdefghi"]);
    const branches = await page.evaluate(() =>
      escapement.state.flights.value.slice(1).map(({ head, end, fork }) => ({
        text: head.value!.text!,
        fingerprint: end.value!.fingerprint,
        forkUs: fork.value?.forkUs,
      })),
    );
    expect(branches.map(({ forkUs }) => forkUs)).toEqual([6, 7, 8, 9, 10, 11, 12, 13].map((tS) => tS * 1e6));
    for (const { text, fingerprint } of branches) expect(fingerprint).toBe(fingerprintOf(text));
    await page.close();
  });

  it("moves an event by dragging its tick and by a button in the list of events", async () => {
    const page = await openHover(`${HOVER}\n[[scenario]]\nat = "8 s"\nfor = "2 s"\ngust = { velNedMps = [0, 5, 0] }\n`);
    const lane = await boxOf(page, ".lane-canvas");
    const track = await boxOf(page, ".time-track");
    const x = (tS: number) => track.x + 10 + (tS / 14) * (track.width - 40);
    await drag(page, [x(8), lane.y + 25], [x(6), lane.y + 25]);
    await waitForFlights(page, 2);
    const moved = /at = "([\d.]+) s"/.exec((await activeFlight(page)).text)![1];
    expect(Number(moved)).toBeCloseTo(6, 1);
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /^Move: gust/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("9.5");
    await page.keyboard.press("Enter");
    await waitForFlights(page, 3);
    const { text, fingerprint } = await activeFlight(page);
    expect(text).toContain('at = "9.5 s"');
    expect(fingerprint).toBe(fingerprintOf(text));
    await page.close();
  });

  it("draws a gust from the vehicle with a live preview, in three dimensions", async () => {
    const { page } = await bench.open({ layout: "laptop" });
    await openText(page, HOVER);
    await goTo(page, 9_000_000);
    await page.keyboard.press("g");
    await page.waitForSelector(".popover");
    await until(page, () => escapement.state.preview.value !== undefined);
    const found = await page.evaluate(() => {
      const scene = document.querySelector(".scene")!.getBoundingClientRect();
      const popover = document.querySelector(".popover")!.getBoundingClientRect();
      // The vehicle is in the middle of the part that the popover does not cover.
      return { x: (popover.right + scene.right) / 2, y: (scene.top + scene.bottom) / 2 };
    });
    await page.mouse.move(found.x, found.y);
    await page.mouse.down();
    await page.evaluate(() => {
      const previews: unknown[] = [];
      Object.assign(globalThis, { previews });
      escapement.state.preview.subscribe((preview) => previews.push(preview));
    });
    // The page flies a preview for each of ten moves, and shows its speed at the arrow.
    const count = () => page.evaluate(() => (globalThis as unknown as { previews: unknown[] }).previews.length);
    for (let move = 1; move <= 10; move += 1) {
      const before = await count();
      await page.mouse.move(found.x + 9 * move, found.y + 5 * move);
      await expect.poll(count, { timeout: SLOW_MS }).toBeGreaterThan(before);
    }
    const drawn = await page.locator(".popover .added").textContent();
    expect(drawn).not.toContain("[0, 8, 0]");
    await soon(page, ".gust-speed").text(/^\d+\.\d m\/s$/);
    // Escape ends the drag: nothing is flown, and no arrow and no preview are left.
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await soon(page, ".gust-speed").hidden();
    expect(await page.evaluate(() => escapement.state.preview.value)).toBeUndefined();
    expect(await flightCount(page)).toBe(1);
    await page.keyboard.press("g");
    await page.waitForSelector(".popover");
    await page.mouse.move(found.x, found.y);
    await page.mouse.down();
    await page.mouse.move(found.x + 90, found.y + 50, { steps: 5 });
    await page.mouse.wheel(0, -100);
    expect(await page.locator(".popover .added").textContent()).toContain('for = "3.5 s"');
    await page.mouse.up();
    await waitForFlights(page, 2);
    expect(await activeName(page)).toMatch(/^gust [\d.]+ m\/s$/);
    const { text, fingerprint } = await activeFlight(page);
    expect(text).toContain('for = "3.5 s"');
    expect(fingerprint).toBe(fingerprintOf(text));
    await page.close();
  });
});

describe("comparing and plotting", { timeout: 4 * SLOW_MS }, () => {
  it("compares: same bits, first difference, alignment, differences below the plots", async () => {
    const page = await openHover();
    await goTo(page, 8_000_000);
    await page.keyboard.press("Shift+B");
    await waitForFlights(page, 2);
    await page.keyboard.press("c");
    await soon(page, ".compare tbody").text(/same bits/);
    await goTo(page, 10_000_000);
    await page.keyboard.press("l");
    await waitForFlights(page, 3);
    await soon(page, ".compare tbody").text(/10\.\d+ s, /);
    const cells = await page
      .locator(".compare tbody tr", { hasText: "first difference" })
      .locator("td")
      .allTextContents();
    expect(cells[0]).toBe("–");
    expect(cells[2]).toMatch(/^10\.\d+ s, /);
    // Aligned by forks, the copy (8 s) is shown two seconds before the landing (10 s).
    await page.getByLabel("align by").selectOption("fork");
    expect(await page.evaluate(() => escapement.state.alignment.value)).toEqual({ by: "fork" });
    await page.getByLabel("align by").selectOption("event: lift-off");
    expect(await page.evaluate(() => escapement.state.alignment.value)).toEqual({ by: "event", kind: "liftOff" });
    await page.getByLabel("plot the differences").check();
    await page.getByRole("tab", { name: "Plots" }).click();
    await until(page, () => document.querySelectorAll(".plot.difference canvas").length > 3);
    expect(await page.locator(".plot.difference figcaption b").first().textContent()).toMatch(/^. − .$/);
    await page.keyboard.press("Shift+D");
    await soon(page, ".plot.difference").count(0);
    await page.keyboard.press("Shift+A");
    expect(await page.evaluate(() => escapement.state.alignment.value.by)).toBe("time");
    await page.keyboard.press("1");
    await page.keyboard.press("Shift+G");
    expect(await page.evaluate(() => escapement.state.referenceId.value === escapement.state.activeId.value)).toBe(
      true,
    );
    await page.close();
  });

  it("plots: one zoom for all, a quantity by typing, axes, panels and undo", async () => {
    const page = await openHover();
    const plot = await boxOf(page, ".plot .u-over");
    const y = plot.y + 30;
    await drag(page, [plot.x + 50, y], [plot.x + 200, y]);
    await until(page, () => escapement.state.span.value !== undefined);
    const zoomed = (await span(page))!;
    // Another span is drawn by all plots in the same frame.
    const frames = await page.evaluate(async () => {
      const { clearRect } = CanvasRenderingContext2D.prototype;
      const drawn = new Map<Element, number>();
      let frame = 0;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        if (this.canvas.closest(".plot") !== null && !drawn.has(this.canvas)) drawn.set(this.canvas, frame);
        clearRect.apply(this, box);
      };
      const { span: shown } = escapement.state;
      shown.value = { fromUs: shown.value!.fromUs, toUs: shown.value!.toUs - 1000 };
      for (; drawn.size < 5 && frame < 50; frame += 1) await new Promise((done) => requestAnimationFrame(done));
      CanvasRenderingContext2D.prototype.clearRect = clearRect;
      shown.value = { fromUs: shown.value.fromUs, toUs: shown.value.toUs + 1000 };
      return [...drawn.values()];
    });
    expect(frames.length).toBe(5);
    expect(new Set(frames).size).toBe(1);
    // Adding a quantity keeps the zoom.
    await page.keyboard.press("a");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("d/dt climb");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelectorAll(".plot").length === 6);
    expect(await span(page)).toEqual(zoomed);
    // A drag with Shift pans, and the wheel zooms about the pointer.
    await page.keyboard.down("Shift");
    await drag(page, [plot.x + 200, y], [plot.x + 150, y]);
    await page.keyboard.up("Shift");
    const moved = (await span(page))!;
    expect(moved.fromUs).toBeGreaterThan(zoomed.fromUs);
    await page.keyboard.press("Control+ArrowUp");
    const closer = (await span(page))!;
    expect(closer.toUs - closer.fromUs).toBeCloseTo((moved.toUs - moved.fromUs) / 2, -2);
    await page.keyboard.press("Control+ArrowRight");
    expect((await span(page))!.fromUs).toBeGreaterThan(closer.fromUs);
    await page.mouse.dblclick(plot.x + 100, y);
    expect(await span(page)).toBeUndefined();
    const menu = async (n: number, item: string) => {
      await page.locator('.plot [aria-haspopup="menu"]').nth(n).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu(0, "keep this range of the axis");
    expect(await page.evaluate(() => escapement.state.panels.value[0]!.limits?.length)).toBe(2);
    await menu(0, "fit the axis to the values");
    expect(await page.evaluate(() => escapement.state.panels.value[0]!.limits)).toBeUndefined();
    await menu(1, "one plot per quantity");
    await soon(page, ".plot").count(7);
    await page.keyboard.press("Control+z");
    await soon(page, ".plot").count(6);
    await menu(1, "move up");
    await soon(page, ".plot figcaption b").text(/^Attitude/);
    await page.keyboard.press("Control+z");
    await menu(1, "show its spectrum");
    await until(page, () => document.body.textContent!.includes("Spectrum of attitude"));
    await menu(0, "plot it against a different quantity");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("climb");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".xy-canvas");
    expect(await page.evaluate(() => escapement.state.panels.value.at(-1))).toMatchObject({
      kind: "xy",
      quantities: ["altitude", "climb"],
    });
    // The palette finds quantities and flights besides commands.
    await page.keyboard.press("Control+k");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("plot battery 1");
    await page.keyboard.press("Enter");
    await soon(page, ".plot").count(9);
    await page.close();
  });

  it("moves quantities between plots, by dragging and by the menu", async () => {
    const page = await openHover();
    const shown = () =>
      page.evaluate(() => escapement.state.panels.value.map(({ quantities }) => quantities.join(" ")));
    await soon(page, ".plot").count(5);
    const first = await shown();
    await page.locator(".plot").nth(0).locator(".entry").nth(1).dragTo(page.locator(".plot").nth(2));
    await expect.poll(shown).toEqual(["altitude", "att0 att1", "groundSpeed setAltitude", ...first.slice(3)]);
    await page.locator(".plot").nth(1).locator(".entry").nth(0).dragTo(page.locator(".plot-foot"));
    await expect.poll(async () => (await shown()).at(-1)).toBe("att0");
    expect((await shown())[1]).toBe("att1");
    // A plot that loses its last quantity disappears.
    await page.locator(".plot").nth(0).locator(".entry").nth(0).dragTo(page.locator(".plot").nth(1));
    await expect.poll(async () => (await shown())[0]).toBe("att1 altitude");
    for (let i = 0; i < 3; i += 1) await page.keyboard.press("Control+z");
    expect(await shown()).toEqual(first);
    // Drag from the list of all quantities, which closes when the drag begins.
    await soon(page, ".plot").count(5);
    await page.keyboard.press("a");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("climb");
    await page.locator("dialog .choice").first().dragTo(page.locator(".plot").nth(4), { force: true });
    await expect.poll(async () => (await shown())[4]).toBe(`${first[4]} climb`);
    await soon(page, "dialog").count(0);
    // By keys: choose from the menu, then the quantity, then the plot.
    await page.getByRole("button", { name: "Change the plot Altitude", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector('[role="menu"]');
    await page.getByRole("menuitem", { name: "move a quantity to another plot" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector('dialog[aria-label="Move a quantity"] input');
    await page.keyboard.type("altitude setpoint");
    await page.keyboard.press("Enter");
    await page.waitForSelector('dialog[aria-label="Move altitude setpoint"] input');
    await page.keyboard.type("position error");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await shown()).slice(0, 4))
      .toEqual(["altitude", first[1], first[2], "error setAltitude"]);
    await page.close();
  });

  it("shows every boundary of a short span, with the values of the log at its rows", async () => {
    const page = await openHover();
    await page.evaluate(() => (escapement.state.span.value = { fromUs: 8_000_000, toUs: 8_300_000 }));
    await until(page, () => document.querySelector(".badge:not([hidden])")?.textContent === "every boundary: 1 ms");
    const differences = await page.evaluate(async () => {
      const flight = escapement.state.active.value!;
      const columns = flight.head.value!.columns.map((_, i) => i);
      const found = (await escapement.microscope(flight.id, { fromUs: 8_000_000, toUs: 8_300_000 }, columns))!;
      const rows = flight.rows.value;
      const count = found.timesUs.length;
      let [compared, different] = [0, 0];
      found.timesUs.forEach((tUs, i) => {
        const row = rows.rowAt(tUs);
        if (rows.timeUs(row) !== tUs) return;
        for (const column of columns) {
          compared += 1;
          const fine = Math.fround(found.values[column * count + i]!);
          if (!Object.is(fine, rows.value(column, row))) different += 1;
        }
      });
      return { compared, different, count };
    });
    expect(differences.different).toBe(0);
    expect(differences.compared).toBeGreaterThan(1000);
    expect(differences.count).toBeGreaterThanOrEqual(300);
    await page.keyboard.press("0");
    await soon(page, ".badge").hidden();
    // By keys: zoom in at the playhead. By pointer: drag a short span in a plot, twice.
    await goTo(page, 8_150_000);
    for (let i = 0; i < 6; i += 1) await page.keyboard.press("Control+ArrowUp");
    await until(page, () => document.querySelector(".badge:not([hidden])")?.textContent === "every boundary: 1 ms");
    await page.keyboard.press("0");
    const plot = await boxOf(page, ".plot .u-over");
    for (let i = 0; i < 2; i += 1) {
      const before = await span(page);
      await drag(page, [plot.x + 200, plot.y + 30], [plot.x + 240, plot.y + 30]);
      await until(page, (was) => escapement.state.span.value?.toUs !== was, before?.toUs);
    }
    await until(page, () => document.querySelector(".badge:not([hidden])")?.textContent === "every boundary: 1 ms");
    await page.close();
  });

  it("measures between two marks, set by keys and dragged by their flags", async () => {
    const page = await openHover();
    await goTo(page, 2_000_000);
    await page.keyboard.press("[");
    await goTo(page, 12_000_000);
    await page.keyboard.press("]");
    await until(page, () => document.querySelector(".measured")?.textContent?.includes("Δ 10.000 s") === true);
    expect(await page.locator(".measured").textContent()).toContain("0.100 Hz");
    expect(await page.locator(".measured tbody th").first().textContent()).toMatch(/^altitude/);
    const flag = await boxOf(page, ".flag span");
    await drag(page, [flag.x + 5, flag.y + 6], [flag.x + 105, flag.y + 6]);
    const { aUs } = await page.evaluate(() => escapement.state.marks.value);
    expect(aUs).toBeGreaterThan(2_200_000);
    await page.getByRole("button", { name: "remove the marks" }).click();
    expect(await page.evaluate(() => escapement.state.marks.value)).toEqual({});
    await soon(page, ".measured").hidden();
    await page.close();
  });
});

describe("description, files and errors", { timeout: 4 * SLOW_MS }, () => {
  it("underlines errors in the description, completes from the tables, and flies a valid text", async () => {
    const page = await openHover();
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type('\n[[scenario]]\nat = "9 s"\nmotorOf = { motor = 2 }\n');
    await until(page, () => document.querySelector(".editor-errors")?.textContent?.includes("motorOf") === true);
    expect(await flightCount(page)).toBe(1);
    expect(await page.evaluate(() => escapement.state.diagnostics.value[0])).toMatchObject({ replacement: "motorOff" });
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    for (let i = 0; i < 7; i += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("f");
    await waitForFlights(page, 2);
    expect((await activeFlight(page)).text).toContain("motorOff = { motor = 2 }");
    // Go from the text to the instant, and from the event to its line.
    await page.keyboard.press("Control+Enter");
    expect(await nowUs(page)).toBe(9_000_000);
    await page.getByRole("button", { name: "Describe" }).click();
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /^show in text: motor 2/ }).click();
    await page.waitForSelector(".editor .cm-activeLine");
    await until(page, () => {
      const root = document.querySelector(".editor-place")!.shadowRoot!;
      return root.querySelector(".cm-activeLine")?.textContent === "[[scenario]]";
    });
    // Typing over the whole text logs no violation of the page's policy; `openHover` checks this when the page closes.
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(`${HOVER}\n[vehicle]\nmassKg = 1.7\n`);
    await waitForFlights(page, 3);
    expect((await activeFlight(page)).text).toContain("massKg = 1.7");
    // Undo removes the edit, and redo flies it again.
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await flightCount(page)).toBe(2);
    await page.keyboard.press("Control+y");
    await waitForFlights(page, 3);
    await page.close();
  });

  it("shows the files of a flight beside its description, and flies a changed one", async () => {
    const page = await openHover();
    await page.evaluate(
      async ([text, file]) => {
        await escapement.open(text!, { files: { "there.waypoints": new TextEncoder().encode(file) } });
      },
      ['extends = "mission"\nmission = "./there.waypoints"\n', WAYPOINTS],
    );
    await waitForFlights(page, 2);
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    await page.getByRole("tab", { name: "there.waypoints" }).click();
    await until(page, () => {
      const root = document.querySelector(".editor-place")!.shadowRoot!;
      return root.querySelector(".cm-line")?.textContent === "QGC WPL 110";
    });
    await page.locator(".editor .cm-content").click();
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < 2; i += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    // Change the altitude of the first waypoint from 10 m to 20 m.
    for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("2");
    await waitForFlights(page, 3);
    const found = await page.evaluate(() => {
      const { head } = escapement.state.active.value!;
      const { text, files } = head.value!;
      return { text, file: new TextDecoder().decode(files["there.waypoints"]) };
    });
    expect(found.text).toContain('mission = "./there.waypoints"');
    expect(found.file).toContain("\t20\t1");
    await page.close();
  });

  it("shares a link that a different page verifies, and reports if it was changed", async () => {
    const page = await openHover();
    await goTo(page, 9_000_000);
    await page.keyboard.press("l");
    await waitForFlights(page, 2);
    const view = (from: Page) =>
      from.evaluate(() => {
        const { camera, panels } = escapement.state;
        return { camera: camera.value, plots: panels.value.map(({ quantities }) => quantities) };
      });
    await page.evaluate(() => {
      const { camera, panels } = escapement.state;
      camera.value = { mode: "chase", azimuthDeg: 31, elevationDeg: 12, distanceM: 9 };
      panels.value = [{ id: 70, kind: "time", quantities: ["climb", "altitude"] }, ...panels.value.slice(0, 2)];
    });
    await page.getByRole("button", { name: "Share" }).click();
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.keyboard.press("y");
    const link = await page.locator('dialog [aria-label="Link to this flight"]').inputValue();
    await page.keyboard.press("Escape");
    const { page: other } = await bench.open({ hasWebGl: false, hash: new URL(link).hash });
    await waitForFlights(other, 2);
    expect(await other.evaluate(() => escapement.state.active.value!.verification.value)).toEqual({ is: "same" });
    expect(await activeFlight(other)).toEqual(await activeFlight(page));
    await until(other, () => escapement.state.nowUs.value === 9_000_000);
    expect(await view(other)).toEqual(await view(page));
    expect(await other.locator(".print-chip").textContent()).toBe(`✓${(await activeFlight(page)).fingerprint}`);
    await other.close();
    const damaged = new URL(link).hash.slice(0, -40);
    const { page: third } = await bench.open({ hasWebGl: false, hash: damaged });
    await until(third, () => document.querySelector(".card")?.textContent?.includes("damaged") === true);
    await third.close();
    await page.close();
  });

  it("opens dropped and pasted descriptions, and shows the error of a broken file in a card", async () => {
    const { page } = await bench.open({ hasWebGl: false });
    const drop = (name: string, text: string) =>
      page.evaluate(
        ([file, content]) => {
          const data = new DataTransfer();
          data.items.add(new File([content], file));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [name, text] as [string, string],
      );
    await drop("short.toml", HOVER);
    await waitForFlights(page, 1);
    await drop("broken.ulg", "not a log");
    await until(page, () => document.querySelector(".card")?.textContent?.includes("broken.ulg") === true);
    expect(await page.locator(".card").textContent()).toContain("LOG-");
    await page.locator(".card").getByRole("button", { name: "close" }).click();
    expect(await page.locator(".card").count()).toBe(0);
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, `${HOVER}[vehicle]\nmassKg = 1.6\n`);
    await waitForFlights(page, 2);
    expect((await activeFlight(page)).text).toContain("massKg = 1.6");
    await page.close();
  });

  it("opens every kind of file, chosen or dropped", async () => {
    const path = (name: string) => join(folder, name);
    const logs = ["log.ulg", "log.csv", "log.parquet", "log.h5", "log.mcap"];
    const fly = ["fly", "hover", "--set", "timeline.endS=6", "--set", "timeline.physicsPeriodS=0.001"];
    const outputs = logs.flatMap((name) => ["--log", path(name)]);
    await bench.command.run([...fly, ...outputs, "--record", path("flown.mcap")]);
    writeFileSync(path("here.params"), "# Vehicle-Id Component-Id Name Value Type\n1\t1\tMPC_XY_P\t0.5\t9\n");
    writeFileSync(path("there.waypoints"), WAYPOINTS);
    const page = await openHover();
    let count = 1;
    const open = async (name: string) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("o")]);
      await chooser.setFiles(path(name));
      count += 1;
      await waitForFlights(page, count);
      return page.evaluate(() => {
        const { head, rowCount, verification } = escapement.state.active.value!;
        const { origin, text = "", columns, rotors } = head.value!;
        const rows = escapement.state.active.value!.rows.value;
        const height = -rows.value(rows.place("posNed", 2), rows.count - 1);
        return {
          origin,
          text,
          rotors,
          height,
          columns: columns.length,
          rows: rowCount.value,
          is: verification.value?.is,
        };
      });
    };
    for (const name of logs) {
      const opened = await open(name);
      expect([name, opened.origin, opened.rows >= 300, opened.rotors]).toEqual([name, "log", true, 4]);
      expect(opened.height).toBeCloseTo(
        await page.evaluate(() => {
          const rows = escapement.state.flights.value[0]!.rows.value;
          return -rows.value(rows.place("posNed", 2), rows.rowAt(6_000_000));
        }),
        2,
      );
    }
    // The comparison computes the numbers of a log from its rows.
    await page.keyboard.press("c");
    const highest = page.locator(".compare tbody tr", { hasText: "highest" }).locator("td");
    await expect.poll(() => highest.count(), { timeout: SLOW_MS }).toBe(1 + logs.length);
    const found = (await highest.allTextContents()).slice(1).map((text) => /^[\d.]+ m/.exec(text)?.[0]);
    expect(found).toEqual(logs.map(() => found[0]));
    expect(found[0]).toMatch(/^\d/);
    await page.keyboard.press("c");
    expect(await open("flown.mcap")).toMatchObject({ origin: "described", is: "same" });
    expect((await open("there.waypoints")).text).toContain('mission = "./there.waypoints"');
    await page.keyboard.press("1");
    expect((await open("here.params")).text).toContain("MPC_XY_P = 0.5");
    await page.close();
  });

  it("flies a large recording while it is still being read, and then compares the fingerprints", async () => {
    const path = join(folder, "large.mcap");
    const fly = ["fly", "hover", "--set", "timeline.endS=600", "--record", path];
    expect(await bench.command.run(fly)).toMatchObject({ code: 0 });
    expect(statSync(path).size).toBeGreaterThan(50e6);
    const { page } = await bench.open({ hasWebGl: false });
    const choose = page.getByRole("button", { name: /choose files/ });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose.click()]);
    await page.evaluate(() => {
      const seen = { whileReading: 0, progress: new Set<string>() };
      Object.assign(globalThis, { seen });
      const look = () => {
        const { flights } = escapement.state;
        const isReading = flights.value.some(({ readFraction }) => (readFraction.value ?? 1) < 0.9);
        const flown = flights.value.find(({ head }) => head.value?.origin === "described");
        if (isReading) seen.whileReading = Math.max(seen.whileReading, flown?.rowCount.value ?? 0);
        for (const { textContent } of document.querySelectorAll(".flight .outcome")) {
          const [percent] = /\d+ %/.exec(textContent ?? "") ?? [];
          if (percent !== undefined) seen.progress.add(percent);
        }
        requestAnimationFrame(look);
      };
      look();
    });
    await chooser.setFiles(path);
    await until(page, () => escapement.state.active.value?.verification.value?.is === "same");
    expect(await flightCount(page)).toBe(1);
    const { whileReading, progress } = await page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { whileReading: number; progress: Set<string> } };
      return { ...seen, progress: [...seen.progress] };
    });
    expect(whileReading).toBeGreaterThan(100);
    // The page paints while it reads: a page that is blocked would show the first and the last percentage only.
    expect(progress.length).toBeGreaterThan(10);
    expect(await page.evaluate(() => escapement.state.active.value!.rowCount.value)).toBe(30_001);
    await page.close();
  });

  it("saves the description, a table, a page, a recording, a picture and a video", async () => {
    const page = await openHover();
    const saveFile = async (run: () => Promise<void>) => {
      const [download] = await Promise.all([page.waitForEvent("download"), run()]);
      return download.suggestedFilename();
    };
    expect(await saveFile(() => page.keyboard.press("Control+s"))).toMatch(/\.toml$/);
    expect(await saveFile(() => page.keyboard.press("Shift+S"))).toMatch(/\.png$/);
    await page.keyboard.press("y");
    expect(await saveFile(() => page.getByRole("button", { name: /csv/ }).click())).toMatch(/\.csv$/);
    expect(await saveFile(() => page.getByRole("button", { name: /html/ }).click())).toMatch(/\.html$/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /mcap/ }).click(),
    ]);
    const recording = join(folder, "saved.mcap");
    await download.saveAs(recording);
    const { fingerprint } = await activeFlight(page);
    const replayed = await bench.command.run(["replay", recording]);
    expect(replayed).toMatchObject({ code: 0 });
    expect(replayed.out).toContain(fingerprint);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+F");
    await page.keyboard.press("Space");
    await until(page, () => escapement.state.nowUs.value > 200_000);
    expect(await saveFile(() => page.keyboard.press("Shift+F"))).toMatch(/\.webm$/);
    await page.close();
  });

  it("starts a crashed engine again without losing flights", async () => {
    const { page } = await bench.open({ hasWebGl: false });
    await page.close();
    const { page: watched } = await bench.open({ hasWebGl: false });
    await watchWorkers(watched);
    await openText(watched, HOVER);
    await goTo(watched, 8_000_000);
    await watched.keyboard.press("l");
    await waitForFlights(watched, 2);
    const before = await activeFlight(watched);
    await crashEngine(watched);
    await goTo(watched, 5_000_000);
    await watched.keyboard.press("h");
    await waitForFlights(watched, 3);
    await watched.keyboard.press("2");
    expect(await activeFlight(watched)).toEqual(before);
    await watched.close();
  });
});

describe("the view", { timeout: 4 * SLOW_MS }, () => {
  it("turns, moves and zooms the camera by pointer and keys, and frames everything", async () => {
    const { page } = await bench.open({ layout: "laptop" });
    await openText(page, HOVER);
    const camera = () => page.evaluate(() => escapement.state.camera.value);
    const modes: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      modes.push((await camera()).mode);
      await page.keyboard.press("v");
    }
    expect(modes).toEqual(["follow", "chase", "top", "free", "on-board"]);
    const start = await camera();
    await page.keyboard.press("Alt+ArrowRight");
    expect((await camera()).azimuthDeg).not.toBe(start.azimuthDeg);
    await page.keyboard.press("+");
    expect((await camera()).distanceM).toBeLessThan(start.distanceM);
    const stage = await boxOf(page, ".scene");
    const middle = [stage.x + stage.width / 2, stage.y + stage.height / 3] as const;
    const before = await camera();
    await drag(page, middle, [middle[0] + 80, middle[1]], 3);
    expect((await camera()).azimuthDeg).not.toBe(before.azimuthDeg);
    await page.mouse.wheel(0, 300);
    await until(page, (was) => escapement.state.camera.value.distanceM > was, before.distanceM);
    await page.keyboard.press("f");
    expect((await camera()).mode).toBe("free");
    await page.locator(".cameras button").first().click();
    expect((await camera()).mode).toBe("follow");
    await page.keyboard.press("d");
    expect(await page.locator("[aria-live=polite].sr-only").textContent()).toMatch(/metres high/);
    await page.keyboard.press("u");
    expect(await page.locator(".hud-head").isHidden()).toBe(true);
    await page.close();
  });

  it("changes the widths of its panels by pointer and keys, and stores them", async () => {
    const page = await openHover();
    const width = async () => (await boxOf(page, ".side")).width;
    const before = await width();
    const bar = await boxOf(page, ".side .splitter");
    await drag(page, [bar.x + 4, bar.y + 200], [bar.x - 76, bar.y + 200]);
    const dragged = await width();
    expect(dragged).toBeGreaterThan(before + 60);
    await page.locator(".side .splitter").focus();
    await page.keyboard.press("ArrowRight");
    expect(await width()).toBeLessThan(dragged);
    const stored = await page.evaluate(() => localStorage.getItem("escapement-view"));
    expect(stored).toContain('"side":');
    await page.keyboard.press("\\");
    expect(await page.locator(".side").isHidden()).toBe(true);
    await page.close();
  });
});

describe("a live flight", { timeout: 4 * SLOW_MS }, () => {
  it("follows the newest row, goes back and returns, and accepts events by key and by the rail", async () => {
    const server = bench.command.start(["view", "--live", "hover", "--no-open", "--json"]);
    try {
      const [first] = (await once(server.stdout!, "data")) as [Buffer];
      const { url } = JSON.parse(first.toString()) as { url: string };
      const { page, problems } = await bench.open({ hasWebGl: false, address: url });
      await until(page, () => escapement.state.nowUs.value > 3_000_000);
      expect(await page.locator(".live-badge").isHidden()).toBe(false);
      await page.keyboard.press("ArrowLeft");
      const stayed = await nowUs(page);
      await soon(page, ".live-badge").hidden();
      await until(page, (tUs) => escapement.state.active.value!.flownUs.value > tUs + 2_000_000, stayed);
      expect(await nowUs(page)).toBe(stayed);
      await page.keyboard.press("End");
      await until(page, (tUs) => escapement.state.nowUs.value > tUs + 2_000_000, stayed);
      await page.keyboard.press("h");
      await until(page, () => /hold = /.test(escapement.state.active.value!.head.value!.text ?? ""));
      await page.getByRole("button", { name: "Land", exact: true }).click();
      await until(page, () => /land = /.test(escapement.state.active.value!.head.value!.text ?? ""));
      expect(await flightCount(page)).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    } finally {
      server.kill();
    }
  });
});

describe.each(["dark", "light"] as const)("axe-core in %s", { timeout: 6 * SLOW_MS }, (colorScheme) => {
  it.each(["wide", "laptop", "phone"] as const)("finds nothing serious in any state of a %s page", async (layout) => {
    const { page } = await bench.open({ layout, colorScheme, hasWebGl: false });
    const found: Record<string, string[]> = {};
    const check = async (state: string) => {
      const findings = await seriousFindings(page);
      if (findings.length > 0) found[state] = findings;
    };
    await check("start");
    await openText(page, `${HOVER}\n[[scenario]]\nat = "8 s"\nmotorLoss = { motor = 2, gain = 0.8 }\n`);
    await check("flight");
    await goTo(page, 9_000_000);
    await page.keyboard.press("g");
    await page.waitForSelector(".popover");
    await check("gust form");
    await page.keyboard.press("Escape");
    await page.keyboard.press("l");
    await waitForFlights(page, 2);
    await page.keyboard.press("c");
    await page.keyboard.press("Shift+D");
    await check("comparison");
    await page.keyboard.press("c");
    await page.evaluate(() => (escapement.state.marks.value = { aUs: 2_000_000, bUs: 9_000_000 }));
    await until(page, () => document.querySelector(".measured:not([hidden])") !== null);
    await check("measured, with differences");
    await page.evaluate(() => {
      const { span, panels } = escapement.state;
      span.value = { fromUs: 8_000_000, toUs: 8_300_000 };
      panels.value = [
        { id: 90, kind: "xy", quantities: ["east", "north"] },
        { id: 91, kind: "spectrum", quantities: ["att0"] },
        ...panels.value,
      ];
    });
    await until(page, () => document.querySelector(".badge:not([hidden])") !== null);
    await check("every boundary of a span, X over Y and a spectrum");
    await page.evaluate(() => {
      const { span, panels } = escapement.state;
      span.value = undefined;
      panels.value = panels.value.filter(({ kind }) => kind === "time");
      void escapement.sweep(
        [3, 6].map((speed) => ({
          edit: { kind: "add" as const, events: [{ at: "9 s", for: "1 s", gust: { velNedMps: [0, speed, 0] } }] },
          name: `gust ${speed} m/s`,
        })),
      );
    });
    await waitForFlights(page, 4);
    await check("sweep");
    await page.evaluate(async () => {
      const rows = ["time_us,altitude_m", "0,1", "1000000,2", "2000000,3"];
      await escapement.openFile(new File([rows.join("\n")], "log.csv"));
    });
    await check("log");
    await page.keyboard.press("1");
    await page.getByRole("tab", { name: "Events" }).click();
    await check("events");
    for (const [key, name] of [
      ["?", "help"],
      ["Control+k", "commands"],
      ["y", "share"],
      ["t", "time"],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForSelector("dialog[open]");
      await check(name);
      await page.keyboard.press("Escape");
    }
    await page.locator('[aria-label^="This flight"]').click();
    await check("menu");
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      void escapement.open('extends = "mission"\n[[scenario]]\nat = "4 s"\nmotorOff = { motor = 9 }\n');
    });
    await page.waitForSelector(".card");
    await check("card");
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    await check("description with a mistake");
    expect(found).toEqual({});
    await page.close();
  });

  it("finds nothing serious in a live flight", async () => {
    const server = bench.command.start(["view", "--live", "hover", "--no-open", "--json"]);
    try {
      const [first] = (await once(server.stdout!, "data")) as [Buffer];
      const { url } = JSON.parse(first.toString()) as { url: string };
      const { page } = await bench.open({ colorScheme, hasWebGl: false, address: url });
      await until(page, () => (escapement.state.active.value?.rowCount.value ?? 0) > 20);
      expect(await seriousFindings(page)).toEqual([]);
      await page.close();
    } finally {
      server.kill();
    }
  });
});
