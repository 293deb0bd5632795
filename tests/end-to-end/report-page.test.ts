/**
 * Tests the report page in a real browser: it builds without console messages or network requests, and its plots,
 * cursor, zoom, colours and print layout work. `REPORT_SHOTS=folder` saves screenshots.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  compareReplays,
  coreRegistry,
  flyFlightNow,
  mustResolve,
  type PlainObject,
  recordingUntil,
  resolveFlight,
} from "@escapement/core";
import { makeComparisonReport, type PageAssets, type ReportPage, reportHtml } from "@escapement/viewer";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { pageAssets, reportOf, reportsOf } from "../support/report-pages.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-report-"));
let browser: Browser | { readonly missing: string };
let assets: PageAssets;

const resolve = (spec: PlainObject) => mustResolve(resolveFlight({ file: "page", spec }, coreRegistry));
const fly = (spec: PlainObject) => flyFlightNow(resolve({ extends: "mission", timeline: { endS: 12 }, ...spec }));

/** The mission without changes. */
const parent = fly({});

beforeAll(async () => {
  assets = await pageAssets();
  browser = await launchChromium();
});
afterAll(async () => {
  if ("newPage" in browser) await browser.close();
  rmSync(folder, { recursive: true });
});

interface Shown {
  readonly page: Page;
  /** Console messages, errors, and requests for anything but the page itself. */
  readonly problems: string[];
}

interface ShowOptions {
  readonly width?: number;
  /** The browser's language. */
  readonly language?: string;
}

async function show(name: string, blocks: ReportPage, { width = 1300, language }: ShowOptions = {}): Promise<Shown> {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, reportHtml(blocks, assets));
  const page = await (browser as Browser).newPage({ locale: "en-US", viewport: { width, height: 900 } });
  if (language !== undefined) {
    await page.addInitScript((value) => {
      Object.defineProperty(Navigator.prototype, "language", { get: () => value, configurable: true });
    }, language);
  }
  const problems: string[] = [];
  page.on("console", (message) => {
    // Ignore this warning, which the test itself causes by reading pixels.
    if (!message.text().includes("willReadFrequently")) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) problems.push(`request ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(".plot canvas");
  return { page, problems };
}

async function keep(page: Page, name: string): Promise<void> {
  const shots = process.env["REPORT_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Returns the spans that the plots currently show. */
function spans(page: Page): Promise<string[]> {
  return page.$$eval(".plot", (plots) =>
    plots.map((plot) => `${(plot as HTMLElement).dataset["from"]} to ${(plot as HTMLElement).dataset["to"]}`),
  );
}

/** Returns the page coordinates of a point of plot n, given as fractions of its width and height. */
async function pointIn(page: Page, n: number, x: number, y = 0.5): Promise<[number, number]> {
  const over = page.locator(".u-over").nth(n);
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  return [box.x + x * box.width, box.y + y * box.height];
}

/** Counts the pixels of a canvas with about this colour. */
function paintedPixels(page: Page, n: number, rgb: readonly [number, number, number]): Promise<number> {
  return page.evaluate(
    ([index, [r, g, b]]) => {
      const canvas = document.querySelectorAll<HTMLCanvasElement>(".plot canvas")[index]!;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const near = Math.abs(data[i]! - r) + Math.abs(data[i + 1]! - g) + Math.abs(data[i + 2]! - b) < 24;
        if (near && data[i + 3]! > 30) count += 1;
      }
      return count;
    },
    [n, rgb] as const,
  );
}

describe("the page of a flight", () => {
  const flight = fly({
    scenario: [
      { atS: 8, forS: 1.5, motorLoss: { motor: 2, gain: 0.85 } },
      { atS: 9, forS: 2, gust: { velNedMps: [0, 4, 0] } },
    ],
  });
  const report = reportOf(flight);
  let shown: Shown;

  beforeAll(async () => {
    if (!("missing" in browser)) shown = await show("flight", [report]);
  });

  it("builds without console messages, errors or requests", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = shown;
    await keep(page, "flight");
    expect(problems).toEqual([]);
    expect(await page.title()).toContain("mission");
    expect(await page.textContent("header")).toContain(flight.fingerprint);
    const titles = await page.$$eval("figcaption b", (nodes) => nodes.map((node) => node.textContent));
    expect(titles).toEqual(
      expect.arrayContaining([
        "altitude",
        "position error",
        "attitude",
        "rates",
        "motor commands",
        "battery voltage",
        "wind",
      ]),
    );
    const empty = await page.$$eval(".plot canvas", (all) =>
      all.filter((one) => (one as HTMLCanvasElement).width < 400),
    );
    expect(empty).toEqual([]);
  });

  it("shows faults and gusts as bands, on the strip and on every plot", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    expect(await page.$$eval(".bars span", (bars) => bars.map((bar) => bar.textContent))).toEqual([
      "motor 2 keeps 85 % of its duty",
      "gust",
    ]);
    expect(await page.$$eval(".keys span", (keys) => keys.map((key) => key.textContent))).toEqual(
      expect.arrayContaining(["hold", "mission", "fault", "gust"]),
    );
    const plots = await page.locator(".plot").count();
    for (const n of [0, 5, plots - 1]) expect(await paintedPixels(page, n, [213, 94, 0])).toBeGreaterThan(500);
  });

  it("opens in a browser with an invalid language tag", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { problems } = await show("posix", [report], { language: "en-US@posix" });
    expect(problems).toEqual([]);
  });

  it("zooms all plots together, and resets the zoom", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const [whole] = await spans(page);
    const [x0, y] = await pointIn(page, 2, 0.5);
    const [x1] = await pointIn(page, 2, 0.75);
    await page.mouse.move(x0, y);
    await page.mouse.down();
    await page.mouse.move(x1, y, { steps: 4 });
    await page.mouse.up();
    const zoomed = await spans(page);
    expect(new Set(zoomed).size).toBe(1);
    const [from, to] = zoomed[0]!.split(" to ").map(Number) as [number, number];
    expect(from).toBeCloseTo(6, 0);
    expect(to).toBeCloseTo(9, 0);
    expect(await page.isVisible(".frame")).toBe(true);
    await page.click(".reset");
    expect(new Set(await spans(page))).toEqual(new Set([whole]));
    expect(await page.isVisible(".frame")).toBe(false);
  });

  it("shows the values under the cursor, with the minimum and maximum of that second", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    await page.mouse.move(...(await pointIn(page, 0, 0.7)));
    const when = (await page.textContent(".values .when"))!;
    const timeS = Number(/^([\d.]+) s/.exec(when)![1]);
    expect(timeS).toBeCloseTo(0.7 * 12, 1);
    expect(when).toContain("mission");
    const cells = await page.$$eval(".values tbody tr", (rows) => {
      const row = rows.find((each) => each.textContent?.startsWith("altitudem"))!;
      return [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent));
    });
    const altitudes = [0, 0.5, 0.98].map((part) => -flight.signal("posNed").at(Math.floor(timeS) + part)[2]!);
    const [now, low, high] = cells as [number, number, number];
    expect(now).toBeCloseTo(-flight.signal("posNed").at(Math.round(timeS * 50) / 50)[2]!, 2);
    expect(low).toBeLessThanOrEqual(Math.min(...altitudes) + 0.005);
    expect(high).toBeGreaterThanOrEqual(Math.max(...altitudes) - 0.005);
    expect(await page.isVisible(".now")).toBe(true);
  });

  it("hides a line whose name is clicked", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const before = await paintedPixels(page, 0, [0, 114, 178]);
    await page.locator(".plot").first().locator(".legend button").first().click();
    expect(await paintedPixels(page, 0, [0, 114, 178])).toBeLessThan(before / 4);
    await page.locator(".plot").first().locator(".legend button").first().click();
  });

  it("follows the reader's dark mode, and prints black on white", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await background()).toBe("rgb(18, 25, 34)");
    // The grid now has the colour of the dark theme, with 49 of green instead of 227.
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".plot canvas")!;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, 150, canvas.height);
      return data.some((value, i) => i % 4 === 1 && Math.abs(value - 49) <= 4 && data[i + 2]! > 200);
    });
    await keep(page, "flight-dark");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await background()).toBe("rgb(255, 255, 255)");
    expect(await page.isVisible(".values")).toBe(false);
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    expect(shown.problems).toEqual([]);
  });

  it("rotates the track, and draws a ring for every mission item", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const picture = () => page.$eval(".track", (canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const fromAbove = await picture();
    await page.click(".viewpoints button:has-text('3-D')");
    expect(await picture()).not.toBe(fromAbove);
    await page.click(".viewpoints button:has-text('from above')");
    expect(report.head.waypoints.length).toBeGreaterThan(4);
  });

  it("fits a small screen", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = await show("narrow", [report], { width: 420 });
    await keep(page, "narrow");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
    expect(problems).toEqual([]);
  });
});

describe("the page of a flight with requirements", () => {
  const requirements = [
    "never tilt > 60 deg",
    { name: "stays low", text: "always altitude < 2 m during 3 s..10 s" },
    "for 2 s after gust: altitude > -1 m",
    "within 1 s after touchdown: landed",
  ];
  const flight = fly({ scenario: [{ atS: 8, forS: 2, gust: { velNedMps: [0, 4, 0] } }], requirements });

  it("lists the verdicts, shades the window of the chosen verdict, and marks the deciding instant", async ({
    skip,
  }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = await show("requirements", [reportOf(flight)]);
    await keep(page, "requirements");
    const rows = await page.$$eval(".verdicts tbody tr", (all) => all.map((row) => (row as HTMLElement).innerText));
    expect(rows.map((row) => /✓ holds|✗ violated|– untested/.exec(row)?.[0])).toEqual([
      "✓ holds",
      "✗ violated",
      "✓ holds",
      "– untested",
    ]);
    const { binding } = flight.verdicts[1]!;
    expect(rows[1]).toContain(`${(binding!.tUs / 1e6).toFixed(3)} s`);
    expect(rows[1]).toContain("always altitude < 2 m during 3 s..10 s");
    const endS = flight.end.endUs / 1e6;
    const placeOf = (selector: string) =>
      page.$eval(selector, (node) => {
        const { left, width } = (node as HTMLElement).style;
        return { left: parseFloat(left), width: parseFloat(width), hidden: (node as HTMLElement).hidden };
      });
    expect(await placeOf(".window")).toEqual({
      left: expect.closeTo(300 / endS, 3) as number,
      width: expect.closeTo(700 / endS, 3) as number,
      hidden: false,
    });
    expect((await placeOf(".binding")).left).toBeCloseTo(binding!.tUs / 1e4 / endS, 3);
    // The marker of a violated requirement is drawn on every plot, in the colour of limits.
    const LIMIT = [196, 38, 29] as const;
    expect(await paintedPixels(page, 0, LIMIT)).toBeGreaterThan(100);
    await page.click(".verdicts tr:nth-child(3) button");
    expect((await placeOf(".window")).left).toBeCloseTo(800 / endS, 3);
    expect(await paintedPixels(page, 0, LIMIT)).toBe(0);
    // Choosing it again hides the marker.
    await page.click(".verdicts tr:nth-child(3) button");
    expect((await placeOf(".window")).hidden).toBe(true);
    expect(problems).toEqual([]);
  });

  it("lists the verdicts of several flights side by side", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const other = fly({ scenario: [{ atS: 11, forS: 1, gust: { velNedMps: [0, 1, 0] } }], requirements });
    const { page, problems } = await show("requirements-of-two", reportsOf([flight, other]));
    const rows = await page.$$eval(".verdicts tbody tr", (all) => all.map((row) => (row as HTMLElement).innerText));
    expect(rows[2]).toMatch(/✓ holds.*\? undecided/s);
    expect(problems).toEqual([]);
  });
});

describe("the page of a flight without setpoint, wind or battery", () => {
  const textsOf = (page: Page, selector: string) =>
    page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));

  it("shows no error row without a setpoint and no wind row without wind", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = await show("drop", [reportOf(fly({ extends: "drop", timeline: { endS: 1 } }))]);
    await keep(page, "drop");
    expect((await textsOf(page, ".extremes tbody th")).slice(0, 4)).toEqual(["altitude", "speed", "tilt", "from home"]);
    const rows = await textsOf(page, ".extremes tbody th");
    expect(rows).not.toContain("position error");
    expect(rows).not.toContain("wind");
    const facts = await page.textContent("header .facts");
    expect(facts).toContain("no autopilot");
    expect(facts).toContain("no wind");
  });

  it("shows no battery row without a battery, and a dash beside a flight that has one", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const without = fly({ vehicle: "iris-linear", timeline: { endS: 3 } });
    const alone = await show("linear", [reportOf(without)]);
    const batteryRows = ["voltage", "energy", "charge"];
    const rows = await textsOf(alone.page, ".extremes tbody th");
    expect(batteryRows.filter((row) => rows.includes(row))).toEqual([]);
    const both = await show("linear-and-iris", reportsOf([without, fly({ timeline: { endS: 3 } })]));
    const voltages = await textsOf(both.page, ".extremes tr:has(th:text-is('voltage')) td");
    expect(voltages).toEqual(["—", expect.stringMatching(/^\d+\.\d\d V lowest$/)]);
  });

  it("fits a small screen when a fault starts late", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const late = fly({ timeline: { endS: 6 }, scenario: [{ atS: 5.8, motorLoss: { motor: 2, gain: 0.85 } }] });
    const { page } = await show("late", [reportOf(late)], { width: 400 });
    await keep(page, "late");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
    const label = await page.$eval(".bars span", (bar) => {
      const range = document.createRange();
      range.selectNodeContents(bar);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    });
    expect(label.left).toBeGreaterThan(0);
    expect(label.right).toBeLessThanOrEqual(400);
    // A vertical swipe on the track must scroll the page.
    expect(await page.$eval(".track", (track) => getComputedStyle(track).touchAction)).toContain("pan-y");
  });
});

describe("the copy buttons", () => {
  const report = reportOf(fly({ timeline: { endS: 1 } }));
  const copy = "button:has-text('copy the fingerprint')";

  it("select the text if the browser does not allow copying, and then restore their label", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = await show("refused", [report]);
    await page.evaluate(() => {
      const writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
      Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    });
    await page.click(copy);
    await page.waitForSelector("button:has-text('selected')");
    expect(await page.evaluate(() => String(getSelection()))).toBe(report.head.fingerprint);
    await page.waitForSelector(copy);
    await page.click("button:has-text('copy the flight')");
    await page.waitForSelector("button:has-text('selected')");
    expect(JSON.parse(await page.evaluate(() => String(getSelection())))).toEqual(report.head.definition);
    expect(problems).toEqual([]);
  });

  it("confirm the copy for a moment", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = await show("copied", [report]);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.resolve() } });
    });
    await page.click(copy);
    await page.waitForSelector("button:has-text('copied')");
    await page.waitForSelector(copy);
    expect(problems).toEqual([]);
  });
});

describe("the page of several flights", () => {
  const event = (atS: number, action: object) => ({ atS, ...action });
  const flights = [
    parent,
    fly({ scenario: [event(7, { motorOff: { motor: 2 } })] }),
    fly({ scenario: [event(7, { motorLoss: { motor: 2, gain: 0.85 } })] }),
    fly({ scenario: [event(9, { forS: 2, gust: { velNedMps: [0, 5, 0] } })] }),
  ];
  const reports = reportsOf(flights);
  let shown: Shown;

  beforeAll(async () => {
    if (!("missing" in browser)) shown = await show("several", reports);
  });

  it("lists outcome, end, error, change, first difference and fingerprint of each flight", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = shown;
    expect(problems).toEqual([]);
    const rows = await page.$$eval(".flights tbody tr", (all) =>
      all.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent)),
    );
    expect(rows.map(([letter]) => letter)).toEqual(["a", "b", "c", "d"]);
    expect(rows.map((row) => row[2])).toEqual([
      "",
      "at 7 s: motor 2 off",
      "at 7 s: motor 2 keeps 85 % of its duty",
      "at 9 s: gust [0, 5, 0] m/s for 2 s",
    ]);
    expect(rows[1]![3]).toMatch(/^crashed — /);
    expect(rows.map((row) => row[6])).toEqual([
      "",
      "7.000 s, scenario: motorGain",
      "7.000 s, scenario: motorGain",
      "9.000 s, scenario: windGustNed",
    ]);
    expect(rows.map((row) => row[7])).toEqual(flights.map(({ fingerprint }) => fingerprint));
  });

  it("plots one line per flight, and its difference from the first, which is 0 before the fork", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const titles = await page.$$eval("figcaption b:first-child", (nodes) => nodes.map((node) => node.textContent));
    expect(titles.slice(0, 4)).toEqual([
      "altitude",
      "altitude, difference from a",
      "position, north",
      "position, north, difference from a",
    ]);
    const legend = (n: number) =>
      page.$$eval(
        ".plot",
        (plots, index) => [...plots[index]!.querySelectorAll(".legend button")].map((entry) => entry.textContent),
        n,
      );
    await page.mouse.move(...(await pointIn(page, 0, 0.5)));
    expect(await legend(1)).toEqual(["b0.000", "c0.000", "d0.000"]);
    // At this time, the second flight has crashed.
    await page.mouse.move(...(await pointIn(page, 0, 0.95)));
    expect(await legend(0)).toEqual([
      expect.stringMatching(/^a\d+\.\d+$/),
      "b—",
      expect.stringMatching(/^c\d/),
      expect.stringMatching(/^d\d/),
    ]);
    expect((await legend(1))[1]).toMatch(/^c[-−]?\d\.\d*[1-9]/);
  });

  it("marks the forks on the strip and on every plot", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = shown;
    const forks = await page.$$eval(".ticks .fork", (ticks) => ticks.map((tick) => (tick as HTMLElement).style.left));
    expect(forks.map((left) => Math.round(parseFloat(left)))).toEqual([58, 58, 75]);
    expect(await paintedPixels(page, 1, [204, 121, 167])).toBeGreaterThan(100);
  });

  it.for([
    [1440, 900],
    [1280, 720],
    [390, 844],
  ] as const)("fits a screen of %i × %i, dark and light, without overlaps", async ([width, height], { skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page } = await show(`several-${width}`, reports, { width });
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await keep(page, `several-${width}-${colorScheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const boxes = await page.$$eval(".plot, .track, .flights, .strip, .extremes, .events", (nodes) =>
        nodes.map((node) => {
          const { left, right, top, bottom } = node.getBoundingClientRect();
          return { name: node.className, left, right, top, bottom };
        }),
      );
      for (const [i, a] of boxes.entries()) {
        expect([a.left >= 0, a.right <= width], a.name).toEqual([true, true]);
        for (const b of boxes.slice(i + 1)) {
          const isApart =
            a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
          expect(isApart, `${a.name} and ${b.name}`).toBe(true);
        }
      }
    }
  });

  it("shows whether flights are the same, or differ in more than events", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { page, problems } = await show(
      "pair",
      reportsOf([parent, parent, fly({ seed: 2, timeline: { endS: 10 } })]),
    );
    const cells = (name: string) =>
      page.$$eval(`.flights td[data-name="${name}"]`, (nodes) => nodes.map((node) => node.textContent));
    expect(await cells("change from a")).toEqual(["", "none", "a different flight"]);
    expect((await cells("first difference"))[1]).toBe("the same bits");
    expect((await cells("first difference"))[2]).toMatch(/^0\.\d+ s, wind: windBaseNed$/);
    expect(problems).toEqual([]);
  });
});

describe("the page of compared integrators", () => {
  it("plots the errors side by side on a logarithmic axis", async ({ skip }) => {
    if ("missing" in browser) return skip(browser.missing);
    const { recording, resolved, fingerprint } = parent;
    const variant = (kind: string, params: PlainObject = {}) => ({
      label: kind,
      options: { integrator: resolve({ extends: "mission", integrator: { kind, ...params } }).definition.integrator },
    });
    const comparison = compareReplays(recordingUntil(recording, 6e6), {
      variants: ["euler", "rk4"].map((kind) => variant(kind)),
      reference: variant("rk45", { toleranceScale: 0.001, atMinimum: "accept" }),
    });
    const report = makeComparisonReport({
      comparison,
      definition: resolved.definition,
      loop: "closed",
      fingerprint,
      version: "test",
      timeRatios: [0.5, 1],
    });
    const { page, problems } = await show("integrators", [report]);
    expect(await page.textContent("#page")).toContain("integrators compared on one recording, closed loop");
    await page.mouse.move(...(await pointIn(page, 0, 0.9)));
    await keep(page, "integrators");
    expect(problems).toEqual([]);
    const titles = await page.$$eval("figcaption b:first-child", (nodes) => nodes.map((node) => node.textContent));
    expect(titles).toEqual(
      ["position", "velocity", "attitude", "rate", "rotor", "soc", "v1"].map((name) => `${name} error`),
    );
    const boxes = await page.$$eval(".plot", (plots) =>
      plots.slice(0, 2).map((plot) => plot.getBoundingClientRect().top),
    );
    expect(boxes[0]).toBe(boxes[1]);
    const legend = await page.$$eval(".plot:first-child .legend button", (all) =>
      all.slice(0, 2).map((one) => one.textContent),
    );
    expect(legend[0]).toMatch(/^euler\d\.\de-\d+$/);
    expect(legend[1]).toMatch(/^rk4\d\.\de-\d+$/);
    const table = await page.textContent(".tables");
    expect(table).toContain("root mean square");
    // The table has the same units as the one in the terminal.
    for (const title of ["attitude (°)", "rate (°/s)", "rotor (rad/s)"]) expect(table).toContain(title);
    const { max } = comparison.rows[0]!.errors.attitude!;
    expect(report.head.variants[0]!.errors.attitude!.max).toBeCloseTo((max * 180) / Math.PI, 12);
  });
});
