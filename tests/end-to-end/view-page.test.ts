/**
 * The page that flies in a real browser: its start page, time, injection, comparison and description by pointer and by
 * keyboard, in every layout and both themes, without findings of axe-core that are serious. `VIEW_SHOTS=folder` saves
 * screenshots. tests/long/view-interactions.test.ts tries every interaction.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import {
  isFlown,
  keepShot,
  nowUs,
  openFlight,
  seriousFindings,
  SLOW_MS,
  until,
  ViewBench,
} from "../support/view-page.ts";

declare const escapement: Store;

let bench: ViewBench;
beforeAll(async () => {
  bench = await ViewBench.start();
}, SLOW_MS);
afterAll(() => bench.stop());

describe("the page that flies", () => {
  it(
    "flies, scrubs, steps, injects, compares and undoes by pointer and by keyboard",
    { timeout: 4 * SLOW_MS },
    async () => {
      const { page, problems } = await bench.open();
      await keepShot(page, "start");
      expect(await seriousFindings(page)).toEqual([]);
      await openFlight(page);

      // Scrub by pointer, then step by keyboard.
      const track = (await page.locator(".time-track").boundingBox())!;
      await page.mouse.click(track.x + track.width / 2, track.y + 20);
      const clicked = await nowUs(page);
      expect(clicked).toBeGreaterThan(5e6);
      await page.keyboard.press("ArrowLeft");
      expect(await nowUs(page)).toBe(clicked - 1_000_000);
      await page.keyboard.press("t");
      await page.keyboard.type("10.004");
      await page.keyboard.press("Enter");
      expect(await nowUs(page)).toBe(10_004_000);
      await page.keyboard.press("Control+.");
      expect(await nowUs(page)).toBe(10_008_000);
      await until(page, () => document.querySelector(".hud-head .time")!.textContent!.includes("10.008"));

      // A drag over a plot zooms all of them.
      const plot = (await page.locator(".plot .u-over").first().boundingBox())!;
      await page.mouse.move(plot.x + 40, plot.y + 20);
      await page.mouse.down();
      await page.mouse.move(plot.x + 160, plot.y + 22, { steps: 4 });
      await page.mouse.up();
      await until(page, () => escapement.state.span.value !== undefined);
      await page.keyboard.press("0");
      expect(await page.evaluate(() => escapement.state.span.value)).toBeUndefined();

      // Inject by keyboard: the form shows the text that the description gets.
      await page.keyboard.press("m");
      expect(await page.locator(".popover .added").textContent()).toContain("motorOff = { motor = 1 }");
      await page.keyboard.press("Enter");
      await until(page, () => escapement.state.flights.value.length === 2);
      await until(page, isFlown);
      const made = await page.evaluate(() => {
        const { name, fork, head } = escapement.state.active.value!;
        return { name: name.value, forkUs: fork.value?.forkUs, text: head.value?.text };
      });
      expect(made).toMatchObject({ name: "motor 1 off", forkUs: 10_008_000 });
      expect(made.text).toContain("motorOff");

      // Compare, then undo.
      await page.keyboard.press("c");
      expect(await page.locator(".compare tbody").textContent()).toContain("first difference");
      expect(await seriousFindings(page)).toEqual([]);
      await keepShot(page, "compare");
      await page.keyboard.press("c");
      await page.keyboard.press("Control+z");
      expect(await page.evaluate(() => escapement.state.flights.value.length)).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("has no serious finding with the description open, in light colours", { timeout: 3 * SLOW_MS }, async () => {
    const { page, problems } = await bench.open({ layout: "laptop", colorScheme: "light", isFlat: true });
    await openFlight(page);
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    expect(await page.locator(".editor .cm-content").textContent()).toContain('extends = "motor-out"');
    expect(await seriousFindings(page)).toEqual([]);
    await keepShot(page, "editor");
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each(["wide", "laptop", "phone"] as const)("fits a %s screen", { timeout: 3 * SLOW_MS }, async (layout) => {
    const { page } = await bench.open({ layout, isFlat: true });
    await openFlight(page);
    const found = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const parts = [".hud-head", ".hud-readings", ".motors", ".rail", ".cameras"].map((name) => ({
        name,
        ...(box(name).toJSON() as DOMRect),
      }));
      const overlaps = parts.flatMap((a, i) =>
        parts
          .slice(i + 1)
          .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
          .map((b) => `${a.name} ${b.name}`),
      );
      return { overlaps, width: document.documentElement.scrollWidth, screen: innerWidth };
    });
    expect(found.overlaps).toEqual([]);
    expect(found.width).toBeLessThanOrEqual(found.screen);
    await keepShot(page, layout);
    await page.close();
  });
});
