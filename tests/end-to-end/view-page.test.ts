/**
 * Tests the viewer in a real browser: the start page, moving in time, injecting events, comparing flights and editing
 * the description, by pointer and by keyboard, in every layout and both themes. Also checks that axe-core reports no
 * serious findings. `VIEW_SHOTS=folder` saves screenshots. tests/long/view-interactions.test.ts tries every
 * interaction.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { CommandSession } from "../support/command.ts";
import {
  isFlown,
  keepShot,
  type Layout,
  nowUs,
  openFlight,
  seriousFindings,
  SIZES,
  SLOW_MS,
  until,
  ViewBench,
} from "../support/view-page.ts";

declare const escapement: Store;

const folder = mkdtempSync(join(tmpdir(), "escapement-page-"));
let bench: ViewBench;
beforeAll(async () => {
  bench = await ViewBench.start();
}, 4 * SLOW_MS);
afterAll(async () => {
  await bench.stop();
  rmSync(folder, { recursive: true });
});

describe("the viewer", () => {
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

      // Inject by keyboard; the form shows the text that is added to the description.
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
      const compared = await page.locator(".compare tbody").textContent();
      expect(compared).toContain("first difference");
      // A flight that crashes does not return to its path.
      expect(compared).toContain("not before its end");
      expect(await seriousFindings(page)).toEqual([]);
      await keepShot(page, "compare");
      await page.keyboard.press("c");
      await page.keyboard.press("Control+z");
      expect(await page.evaluate(() => escapement.state.flights.value.length)).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("opens from a report, flies the recorded flight, and saves itself", { timeout: 3 * SLOW_MS }, async () => {
    const [recording, report, saved] = ["flight.mcap", "report.html", "saved.html"].map((name) => join(folder, name));
    const session = new CommandSession(bench.command, folder);
    const run = (...args: readonly string[]) => session.run(args);
    await run("fly", "hover", "--set", "timeline.endS=3", "--record", recording!);
    expect(await run("report", recording!, "--flies", "-o", report!)).toMatchObject({ code: 0 });
    const { page, problems } = await bench.open({ address: pathToFileURL(report!).href, hasWebGl: false });
    await page.getByRole("link", { name: "Fly this" }).click();
    await page.waitForSelector(".stage");
    await until(page, isFlown);
    const shown = await page.evaluate(() => {
      const { name, verification } = escapement.state.active.value!;
      return { name: name.value, verification: verification.value };
    });
    expect(shown).toEqual({ name: "flight", verification: { is: "same" } });
    // The saved page opens the same flights at the same instant.
    await page.evaluate(() => escapement.playhead.goTo(2_000_000));
    await page.keyboard.press("l");
    await until(page, () => escapement.state.flights.value.length === 2);
    await until(page, isFlown);
    await page.keyboard.press("y");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "page (.html)" }).click(),
    ]);
    await download.saveAs(saved!);
    const { page: other, problems: otherProblems } = await bench.open({
      address: pathToFileURL(saved!).href,
      hasWebGl: false,
    });
    await until(other, () => escapement.state.flights.value.length === 2);
    await until(other, isFlown);
    expect(await other.evaluate(() => escapement.state.active.value!.verification.value)).toEqual({ is: "same" });
    await other.close();
    await page.keyboard.press("Escape");
    await page.goBack();
    await page.waitForSelector("#page h1");
    expect([...problems, ...otherProblems]).toEqual([]);
    await page.close();
  });

  it("fits wide, laptop and phone screens, in both themes", { timeout: 4 * SLOW_MS }, async () => {
    const { page, problems } = await bench.open({ layout: "wide", hasWebGl: false });
    await openFlight(page);
    const fits = async (state: string) => {
      for (const layout of ["wide", "laptop", "phone", "narrow"] as const) {
        await resize(page, layout);
        const { overlaps, outside, width, screen } = await page.evaluate(findOverlaps);
        expect([state, layout, overlaps, outside, Math.max(width, screen)]).toEqual([state, layout, [], [], screen]);
        await keepShot(page, `${layout} ${state}`);
      }
    };
    await fits("one flight");
    // Add flights, because they make the timeline higher and the comparison table wider.
    for (const [i, key] of ["h", "l", "r"].entries()) {
      await page.evaluate((at) => escapement.playhead.goTo(at), 8_000_000 + i * 1_000_000);
      await page.keyboard.press(key);
      await until(page, (count) => escapement.state.flights.value.length === count, i + 2);
      await until(page, isFlown);
    }
    await fits("four flights");
    await page.keyboard.press("c");
    await page.waitForSelector(".compare table");
    await fits("compared");
    for (const layout of ["wide", "laptop"] as const) {
      await resize(page, layout);
      const { scrollWidth, clientWidth } = await page
        .locator(".compare")
        .evaluate((node) => ({ scrollWidth: node.scrollWidth, clientWidth: node.clientWidth }));
      expect([layout, scrollWidth]).toEqual([layout, clientWidth]);
    }
    await page.keyboard.press("c");
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    await fits("described");
    // Check accessibility in light colours too, with the description open.
    const dark = await page.evaluate(() => document.querySelector<HTMLCanvasElement>(".motors")!.toDataURL());
    await page.emulateMedia({ colorScheme: "light" });
    // The canvases follow the theme of the system too.
    await until(page, (old) => document.querySelector<HTMLCanvasElement>(".motors")!.toDataURL() !== old, dark);
    expect(await page.locator(".editor .cm-content").textContent()).toContain('extends = "motor-out"');
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });
});

/** Resizes the page, and waits until it is drawn in the new size. */
async function resize(page: Page, layout: Layout): Promise<void> {
  const [width, height] = SIZES[layout];
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Returns the pairs of panels over the scene that overlap each other, the elements that extend past the right edge of
 * the screen, and the widths of the page and of the screen.
 */
function findOverlaps() {
  const parts = [".hud-head", ".hud-readings", ".motors", ".rail", ".cameras"].map((name) => ({
    name,
    ...(document.querySelector(name)!.getBoundingClientRect().toJSON() as DOMRect),
  }));
  const overlaps = parts.flatMap((a, i) =>
    parts
      .slice(i + 1)
      .filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      .map((b) => `${a.name} ${b.name}`),
  );
  const outside = [...document.querySelectorAll(".motors, .cameras, .rail, .bar > :not([hidden]), .playhead, .bubble")]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
    .map((part) => part.className);
  return { overlaps, outside, width: document.documentElement.scrollWidth, screen: innerWidth };
}
