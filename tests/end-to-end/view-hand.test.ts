/**
 * Tests flying by hand in a real browser: by keyboard, by the sticks on the screen and by a gamepad. The description
 * that results is flown in Node to the same fingerprint.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flyFlightNow } from "../../packages/core/src/index.ts";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { mustResolveText } from "../../packages/viewer/src/view/worker/texts.ts";
import { EARLY_TAKE_OFF_TOML } from "../support/early-take-off.ts";
import {
  crashEngine,
  isFlown,
  keepShot,
  openText,
  seriousFindings,
  SIZES,
  SLOW_MS,
  until,
  ViewBench,
  watchWorkers,
} from "../support/view-page.ts";

declare const escapement: Store;

const TEXT = `extends = "hover"\n${EARLY_TAKE_OFF_TOML}\n[timeline]\nendS = 9\n`;
let bench: ViewBench;
beforeAll(async () => {
  bench = await ViewBench.start();
}, 4 * SLOW_MS);
afterAll(async () => {
  await bench.stop();
});

/** Waits until the flight by hand has been flown past a time. */
const waitUntilFlownTo = (page: Page, tUs: number) =>
  until(page, (limit) => escapement.state.active.value!.flownUs.value > limit, tUs);

/** Returns the text and the fingerprint of the active flight once it is flown. */
async function readActiveFlight(page: Page) {
  await until(page, isFlown);
  return page.evaluate(() => {
    const { head, end, name, fork } = escapement.state.active.value!;
    return {
      name: name.value,
      text: head.value!.text!,
      fingerprint: end.value!.fingerprint,
      forkUs: fork.value!.forkUs,
    };
  });
}

describe("flying by hand", () => {
  it("by keyboard makes a branch whose text flies to the same bits in Node", { timeout: 3 * SLOW_MS }, async () => {
    const { page, problems } = await bench.open({ hasWebGl: false });
    await openText(page, TEXT);
    await page.evaluate(() => escapement.playhead.goTo(3_000_000));
    await page.keyboard.press("j");
    await page.waitForSelector(".hand-bar");
    await waitUntilFlownTo(page, 3_100_000);
    await page.keyboard.down("w");
    await page.keyboard.down("ArrowLeft");
    await waitUntilFlownTo(page, 3_900_000);
    await keepShot(page, "by hand");
    expect(await page.locator(".outcome-chip").textContent()).toContain("flown by hand");
    // The legends show the newest values, although the lines may be drawn later.
    expect(await page.locator(".plot .legend b").first().textContent()).toMatch(/^\d/);
    expect(await seriousFindings(page)).toEqual([]);
    // Space pauses the flight.
    await page.keyboard.press("Space");
    const paused = await page.evaluate(() => escapement.state.isPlaying.value);
    expect(paused).toBe(false);
    await page.keyboard.press("Space");
    // A page that loses the focus centres the sticks.
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    await until(page, () => document.querySelector<HTMLElement>(".stick-pad i")!.style.translate === "0px");
    await waitUntilFlownTo(page, 4_500_000);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".hand-bar", { state: "detached" });
    const { text, fingerprint, name, forkUs } = await readActiveFlight(page);
    expect([name, forkUs]).toEqual(["by hand", 3_000_000]);
    expect(text).toMatch(/sticks = \{ series = \{ timesS = \[.*pitch = \[.*0\.6.*yaw = \[.*-0\.6[^]*hold = \{\}/);
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(fingerprint);
    // One step undoes it.
    await page.keyboard.press("Control+z");
    expect(await page.evaluate(() => escapement.state.flights.value.length)).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it(
    "continues from the same time if the engine crashes, and keeps all movements",
    { timeout: 3 * SLOW_MS },
    async () => {
      const { page, problems } = await bench.open({ hasWebGl: false });
      await watchWorkers(page);
      await openText(page, TEXT);
      await page.evaluate(() => escapement.playhead.goTo(3_000_000));
      await page.keyboard.press("j");
      await page.waitForSelector(".hand-bar");
      await waitUntilFlownTo(page, 3_100_000);
      await page.keyboard.down("w");
      await waitUntilFlownTo(page, 4_000_000);
      const movesBefore = await page.evaluate(() => escapement.state.active.value!.hand!.moves.length);
      expect(movesBefore).toBeGreaterThan(0);
      await crashEngine(page);
      await page.keyboard.up("w");
      await page.keyboard.down("d");
      await waitUntilFlownTo(page, 5_500_000);
      await until(
        page,
        (count) => {
          const moves = escapement.state.active.value!.hand!.moves;
          return moves.length > count && moves.at(-1)!.sticks[0] > 0;
        },
        movesBefore,
      );
      await page.keyboard.press("Escape");
      await page.waitForSelector(".hand-bar", { state: "detached" });
      const { text, fingerprint } = await readActiveFlight(page);
      expect(text).toMatch(/sticks = \{ series = \{ timesS = \[.*roll = \[.*0\.6.*pitch = \[.*0\.6[^]*hold = \{\}/);
      expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(fingerprint);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("by the sticks on a phone's screen, from the rail", { timeout: 3 * SLOW_MS }, async () => {
    const { page, problems } = await bench.open({ layout: "phone", hasWebGl: false, colorScheme: "light" });
    await openText(page, TEXT);
    await page.evaluate(() => escapement.playhead.goTo(3_000_000));
    await page.getByRole("button", { name: "By hand" }).click();
    await page.waitForSelector(".hand-bar");
    await waitUntilFlownTo(page, 3_100_000);
    const pad = (await page.locator(".stick-pad.left").boundingBox())!;
    await page.mouse.move(pad.x + pad.width / 2, pad.y + pad.height / 2);
    await page.mouse.down();
    await page.mouse.move(pad.x + pad.width / 2, pad.y + 4, { steps: 3 });
    await waitUntilFlownTo(page, 3_800_000);
    await keepShot(page, "by hand phone");
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate(findOverlaps)).toEqual([]);
    await page.mouse.up();
    await page.getByRole("button", { name: "Land" }).click();
    const { text, fingerprint } = await readActiveFlight(page);
    expect(text).toMatch(/throttle = \[.*1[^]*land = \{\}/);
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(fingerprint);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("by a gamepad in mode 2; nothing overlaps on wide screens and laptops", { timeout: 3 * SLOW_MS }, async () => {
    const { page, problems } = await bench.open({ hasWebGl: false });
    await openText(page, TEXT);
    await page.evaluate(() => {
      escapement.playhead.goTo(3_000_000);
      const pad = { connected: true, axes: [0.5, 0, 0, -0.75] } as unknown as Gamepad;
      navigator.getGamepads = () => [pad];
    });
    await page.keyboard.press("j");
    await page.waitForSelector(".hand-bar");
    await waitUntilFlownTo(page, 3_600_000);
    for (const layout of ["wide", "laptop"] as const) {
      await page.setViewportSize({ width: SIZES[layout][0], height: SIZES[layout][1] });
      expect([layout, await page.evaluate(findOverlaps)]).toEqual([layout, []]);
      await keepShot(page, `by hand ${layout}`);
    }
    // Choosing another flight also ends flying by hand.
    await page.keyboard.press("1");
    await page.waitForSelector(".hand-bar", { state: "detached" });
    await page.keyboard.press("2");
    const { text, fingerprint } = await readActiveFlight(page);
    expect(text).toMatch(/pitch = \[.*0\.75.*yaw = \[.*0\.5/);
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(fingerprint);
    expect(problems).toEqual([]);
    await page.close();
  });
});

/** Returns the overlapping parts over the scene. */
function findOverlaps(): string[] {
  const names = [
    ".hud-head",
    ".hud-readings",
    ".motors",
    ".cameras",
    ".hand-bar",
    ".stick-pad.left",
    ".stick-pad:not(.left)",
  ];
  const parts = names.map((name) => ({
    name,
    ...(document.querySelector(name)!.getBoundingClientRect().toJSON() as DOMRect),
  }));
  return parts.flatMap((a, i) =>
    parts
      .slice(i + 1)
      .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      .map((b) => `${a.name} ${b.name}`),
  );
}
