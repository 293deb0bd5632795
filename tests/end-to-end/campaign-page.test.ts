/**
 * Tests the page of a campaign in a real browser: it builds without console messages or network requests, its plot and
 * tables lead to flights and commands by mouse and keyboard, and axe finds no serious problem in either theme.
 * `REPORT_SHOTS=folder` saves screenshots.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { campaignSummary, campaignVerdict, SummaryBuilder } from "@escapement/campaign";
import type { CriterionSummary, Manifest, Row } from "@escapement/formats";
import { campaignHtml, makeCampaignPage, type PageAssets } from "@escapement/viewer";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { exampleManifest, exampleRow, exampleRows } from "../support/campaign-rows.ts";
import { pageAssets } from "../support/report-pages.ts";
import { isFullVolume, volume } from "../support/volume.ts";

const MAX_FIRST_PAINT_MS = 1000;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "escapement-campaign-"));
let browser: Browser | { readonly missing: string };
let assets: PageAssets;

beforeAll(async () => {
  assets = await pageAssets("campaign");
  browser = await launchChromium();
});
afterAll(async () => {
  if ("newPage" in browser) await browser.close();
  rmSync(folder, { recursive: true });
});

const CRITERIA: readonly CriterionSummary[] = [
  {
    text: "P(stays up) >= 99 % with 95 % confidence",
    verdict: "not met",
    reason: "95.4 % (95 %: 93.9 … 96.6) in 1024 flights",
    unit: "",
    isProbability: true,
    estimate: 0.954,
    low: 0.939,
    high: 0.966,
    limit: 0.99,
  },
  {
    text: "no flight fails",
    verdict: "met",
    reason: "every flight has a result",
    unit: "",
    isProbability: false,
    estimate: null,
    low: null,
    high: null,
    limit: null,
  },
];
const SENSITIVITY = [
  {
    of: "the margin of stays up",
    method: "Sobol indices",
    keys: [{ key: "wind.w20Mps", effects: [{ name: "ST", value: 0.61, low: 0.56, high: 0.66 }] }],
  },
];

async function pageOf(flights: number, changes: Partial<Manifest> = {}, change: (row: Row) => Row = (row) => row) {
  const manifest = { ...exampleManifest, flights, ...changes };
  const builder = new SummaryBuilder(manifest);
  const rows = Array.from(exampleRows(flights), change);
  for (const row of rows) builder.add(row);
  const summary = campaignSummary(manifest, builder.finish(), { criteria: CRITERIA, sensitivity: SENSITIVITY });
  const verdict = campaignVerdict(summary);
  const page = await makeCampaignPage({ manifest, summary, verdict, rows: () => rows });
  return { page, summary, html: campaignHtml(page, assets) };
}

interface Shown {
  readonly page: Page;
  /** Console messages, errors, and requests for anything but the page itself. */
  readonly problems: string[];
}

async function show(name: string, html: string, width = 1440): Promise<Shown> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html);
  const page = await (browser as Browser).newPage({ locale: "en-US", viewport: { width, height: 900 } });
  const problems: string[] = [];
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) problems.push(`request ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(".scatter");
  const shots = process.env["REPORT_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  return { page, problems };
}

/** Runs in the page: counts the pixels of the plot that are not transparent. */
function countPaintedPixels(): number {
  const canvas = document.querySelector<HTMLCanvasElement>("canvas.scatter")!;
  const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}

/** Loads the page three times and returns the least time to its first contents, because other programs may run. */
async function leastFirstPaintMs(page: Page): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    await page.reload();
    const entry = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    times.push((await entry.jsonValue())!);
  }
  return Math.min(...times);
}

const panelText = (page: Page) => page.innerText(".panel-content");

describe("the page of a campaign", () => {
  let shown: Shown;
  let summary: Awaited<ReturnType<typeof pageOf>>["summary"];

  beforeAll(async () => {
    if ("missing" in browser) return;
    const made = await pageOf(1024);
    ({ summary } = made);
    shown = await show("campaign", made.html);
  });

  it("shows criteria, requirements and worst flights without console messages or requests", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = shown;
    expect(problems).toEqual([]);
    expect(await page.innerText("header")).toContain("1 of 2 criteria not met");
    expect(await page.innerText(".criteria tbody tr:first-child")).toContain("not met");
    expect(await page.getAttribute(".criteria svg", "aria-label")).toContain("between 93.9 % and 96.6 %; limit 99.0 %");
    const counts = await page.$$eval(".requirements tbody tr:first-child td", (cells) =>
      cells.slice(0, 4).map((cell) => Number(cell.textContent)),
    );
    const { holds, violated, undecided, untested } = summary.requirements[0]!.flights;
    expect(counts).toEqual([holds, violated, undecided, untested]);
    const label = await page.getAttribute(".requirements svg", "aria-label");
    expect(label).toContain(`${violated} below zero`);
    expect(await page.locator(".worst li").count()).toBe(20);
    expect(await page.innerText(".worst li:first-child")).toContain("stays up ✗ violated by");
    expect(await page.innerText(".sensitivity")).toContain("0.610 (0.560 … 0.660)");
  });

  it("colours every violation so that it differs from the flights that nearly violate", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const ramp = await shown.page.$eval(".ramp", ({ style }) => style.background);
    const colours = [...ramp.matchAll(/rgb\((\d+), (\d+), (\d+)\)/g)].map((match) => match.slice(1).map(Number));
    const redness = ([red, , blue]: readonly number[]) => red! - blue!;
    const [below, above] = [colours.slice(0, 16), colours.slice(16)];
    expect([below.length, above.length]).toEqual([16, 16]);
    expect(Math.min(...below.map(redness)) - Math.max(...above.map(redness))).toBeGreaterThan(60);
  });

  it("leads from a point to its flight: verdicts, varied values and commands", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    await page.selectOption(".controls select >> nth=0", { label: "flight number" });
    await page.selectOption(".controls select >> nth=1", { label: "margin of stays up" });
    const { k } = summary.requirements[0]!.least!;
    // The flight with the smallest margin is the lowest point, just above the axis, at its number.
    const canvas = page.locator(".scatter");
    await canvas.scrollIntoViewIfNeeded();
    const box = (await canvas.boundingBox())!;
    const y = box.y + box.height - 44 - (box.height - 70) * (0.04 / 1.08);
    const x = box.x + box.width * (0.04 + (0.92 * k) / 1023);
    for (let dx = -40; dx <= 40 && !(await panelText(page)).includes("outcome"); dx += 8)
      await page.mouse.click(x + dx, y);
    expect(await page.inputValue(".number input")).toBe(String(k));
    const text = await panelText(page);
    const row = exampleRow(k);
    expect(text).toContain("violated");
    expect(text).toContain(`${(row.varied[0] as number).toFixed(1)} m/s`);
    expect(text).toContain(`escapement fly gusts.campaign.toml#${k}`);
    expect(text).toContain(`escapement view gusts.campaign.toml#${k}`);
    expect(text).toMatch(new RegExp(`escapement branch gusts\\.campaign\\.toml#${k} --at \\d+`));
    expect(new URL(page.url()).hash).toBe(`#${k}`);
  });

  it("works by keyboard: arrow keys choose the next flight, and a number chooses a flight", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    await page.focus(".scatter");
    const before = Number(await page.inputValue(".number input"));
    await page.keyboard.press("ArrowRight");
    const after = Number(await page.inputValue(".number input"));
    expect(after).toBeGreaterThan(before);
    await page.fill(".number input", "7");
    await page.keyboard.press("Enter");
    expect(await panelText(page)).toContain("escapement fly gusts.campaign.toml#7");
    await page.focus(".requirements button");
    await page.keyboard.press("Enter");
    expect(await page.inputValue(".number input")).toBe(String(summary.requirements[0]!.least!.k));
  });

  it("has no serious accessibility problem in light and dark", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = shown;
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } };
        interface AxeFinding {
          id: string;
          impact: string;
          nodes: { target: string[] }[];
        }
        const { violations } = await checker.run();
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
      });
      expect([colorScheme, found]).toEqual([colorScheme, []]);
    }
    await page.emulateMedia({ media: "print" });
    expect(await page.isVisible(".flight-panel")).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    expect(problems).toEqual([]);
  });

  it("stays small with many flights, paints them, requests nothing, and its points lead to flights", async ({
    skip,
  }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { html } = await pageOf(volume(25_000, 100_000));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(2_000_000);
    const { page, problems } = await show("campaign-many", html);
    const paints = () => performance.getEntriesByType("paint").map(({ name }) => name);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    expect(await page.evaluate(paints)).toContain("first-contentful-paint");
    if (isFullVolume) expect(await leastFirstPaintMs(page)).toBeLessThanOrEqual(MAX_FIRST_PAINT_MS);
    expect(await page.evaluate(countPaintedPixels)).toBeGreaterThan(10_000);
    const canvas = page.locator(".scatter");
    await canvas.scrollIntoViewIfNeeded();
    const box = (await canvas.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const k = await page.inputValue(".number input");
    expect(k).toMatch(/^\d+$/);
    expect(await panelText(page)).toContain(`escapement fly gusts.campaign.toml#${k}`);
    expect(new URL(page.url()).hash).toBe(`#${k}`);
    expect(problems).toEqual([]);
  }, 120_000);

  it("fits a small screen", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = await show("campaign-narrow", (await pageOf(300)).html, 390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  it("needs no requirement and no varied key", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const bare = (row: Row) => ({ ...row, varied: [], verdicts: [], measures: [] });
    const { html } = await pageOf(20, { keys: [], requirements: [], measures: [] }, bare);
    const { page, problems } = await show("campaign-bare", html);
    expect(problems).toEqual([]);
    expect(await page.innerText("header")).toContain("20 flights");
  });
});
