/**
 * The page that flies in a real browser, as `escapement view` serves it: its start page, time, injection, comparison and
 * description by pointer and by keyboard, in every layout and both themes, without findings of axe-core that are serious.
 * `VIEW_SHOTS=folder` saves screenshots.
 */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { buildCommand } from "../support/command.ts";

declare const escapement: Store;
declare const axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SLOW_MS = 120_000;
const sizes = { wide: [1440, 900], laptop: [1280, 720], phone: [390, 844] } as const;
type Layout = keyof typeof sizes;

let browser: Browser | { readonly missing: string };
let server: ChildProcess;
let address = "";

beforeAll(async () => {
  if (existsSync("/etc/fonts")) process.env["FONTCONFIG_PATH"] ??= "/etc/fonts";
  const command = await buildCommand();
  server = command.start(["view", "--no-open", "--json"]);
  const [first] = (await once(server.stdout!, "data")) as [Buffer];
  address = (JSON.parse(first.toString()) as { url: string }).url;
  browser = await launchChromium({ isIsolated: true });
}, SLOW_MS);
afterAll(async () => {
  if ("newPage" in browser) await browser.close();
  server.kill();
});

interface Opened {
  readonly page: Page;
  /** Console messages, errors, and requests to other origins. */
  readonly problems: string[];
}

async function open(layout: Layout, colorScheme: "dark" | "light"): Promise<Opened> {
  const [width, height] = sizes[layout];
  const page = await (browser as Browser).newPage({ viewport: { width, height }, colorScheme, locale: "en-US" });
  page.setDefaultTimeout(SLOW_MS);
  const problems: string[] = [];
  page.on("console", (message) => {
    // Software rendering makes the driver talk about itself.
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(new URL(address).origin) && !/^(?:blob|data):/.test(url)) problems.push(`request ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector(".flight-card");
  return { page, problems };
}

/** Polls, because the page's policy forbids the browser to compile a condition from a text. */
async function until(page: Page, condition: () => boolean): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if (await page.evaluate(condition)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true: ${condition.toString()}`);
}

const isFlown = () => {
  const flights = escapement.state.flights.value;
  return flights.length > 0 && flights.every(({ end }) => end.value !== undefined);
};
const nowUs = (page: Page) => page.evaluate(() => escapement.state.nowUs.value);

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

async function keep(page: Page, name: string): Promise<void> {
  const shots = process.env["VIEW_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** Opens the shortest built-in flight. */
async function openFlight(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^motor-out/ }).click();
  await until(page, isFlown);
  await page.waitForSelector(".plot canvas");
}

describe("the page that flies", () => {
  it(
    "flies, scrubs, steps, injects, compares and undoes by pointer and by keyboard",
    { timeout: 4 * SLOW_MS },
    async ({ skip }) => {
      if ("missing" in browser) return skip(browser.missing);
      const { page, problems } = await open("wide", "dark");
      await keep(page, "start");
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
      await keep(page, "compare");
      await page.keyboard.press("c");
      await page.keyboard.press("Control+z");
      expect(await page.evaluate(() => escapement.state.flights.value.length)).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it(
    "has no serious finding with the description open, in light colours",
    { timeout: 3 * SLOW_MS },
    async ({ skip }) => {
      if ("missing" in browser) return skip(browser.missing);
      const { page, problems } = await open("laptop", "light");
      await openFlight(page);
      await page.keyboard.press("e");
      await page.waitForSelector(".editor .cm-content");
      expect(await page.locator(".editor .cm-content").textContent()).toContain('extends = "motor-out"');
      expect(await seriousFindings(page)).toEqual([]);
      await keep(page, "editor");
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it.each(["wide", "laptop", "phone"] as const)("fits a %s screen", { timeout: 3 * SLOW_MS }, async (layout) => {
    expect("missing" in browser ? browser.missing : "").toBe("");
    const { page } = await open(layout, "dark");
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
    await keep(page, layout);
    await page.close();
  });
});
