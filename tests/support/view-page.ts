/** Opens the viewer in a real browser, as `escapement view` serves it, for tests of its interactions. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { type BuiltCommand, buildCommand } from "./command.ts";

declare const escapement: Store;
declare const axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Time limit for every action of the page, long because software rendering on a busy machine is slow. */
export const SLOW_MS = 120_000;
export const SIZES = { wide: [1440, 900], laptop: [1280, 720], phone: [390, 844], narrow: [320, 640] } as const;
export type Layout = keyof typeof SIZES;

interface OpenOptions {
  readonly layout?: Layout;
  readonly colorScheme?: "dark" | "light";
  /** Default: true. If false, the scene is flat, which a machine without a graphics card draws much faster. */
  readonly hasWebGl?: boolean;
  /** Draws as many frames as the browser does; otherwise at most 12 per second. */
  readonly hasAllFrames?: boolean;
  /** The fragment of the address; the token of the server if absent. */
  readonly hash?: string;
  /** Replaces the address of the server's page. */
  readonly address?: string;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors in the console and of the page, and requests to other origins. */
  readonly problems: string[];
}

/** A server and browsers that tests share; each test opens a separate page. */
export class ViewBench {
  readonly address: string;
  readonly command: BuiltCommand;
  /** Browsers with and without WebGL, started when the first page needs them. */
  private readonly browsers = new Map<boolean, Promise<Browser>>();
  private readonly server: ChildProcess;

  private constructor(command: BuiltCommand, server: ChildProcess, address: string) {
    this.command = command;
    this.server = server;
    this.address = address;
  }

  static async start(): Promise<ViewBench> {
    const command = await buildCommand();
    const server = command.start(["view", "--no-open", "--json"]);
    const [first] = (await once(server.stdout!, "data")) as [Buffer];
    return new ViewBench(command, server, (JSON.parse(first.toString()) as { url: string }).url);
  }

  async stop(): Promise<void> {
    for (const browser of this.browsers.values()) await (await browser).close();
    this.server.kill();
  }

  /** Opens the page and waits for its first content. Throws an error with the reason if there is no browser. */
  async open(options: OpenOptions = {}): Promise<OpenedPage> {
    const { layout = "wide", colorScheme = "dark", hasWebGl = true, hasAllFrames = false, hash } = options;
    const { address = this.address } = options;
    const [width, height] = SIZES[layout];
    const browser = await this.browserFor(hasWebGl);
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, locale: "en-US" });
    page.setDefaultTimeout(SLOW_MS);
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    const { origin } = new URL(address);
    page.on("request", (request) => {
      const url = request.url();
      if (url !== address && !url.startsWith(origin) && !/^(?:blob|data):/.test(url)) problems.push(`request ${url}`);
    });
    // Listen from the start, because a listener that is added when a key is pressed would miss the file chooser.
    page.on("filechooser", () => {});
    if (!hasAllFrames) await page.addInitScript(drawSlowly);
    if (!hasWebGl) await page.addInitScript(hideWebGl);
    await page.goto(hash === undefined ? address : `${origin}/${hash}`);
    await page.waitForSelector(".flight-card, .stage, #page h1");
    return { page, problems };
  }

  private browserFor(hasWebGl: boolean): Promise<Browser> {
    let browser = this.browsers.get(hasWebGl);
    if (browser === undefined) {
      browser = launchChromium({ isIsolated: true, hasWebGl }).then((launched) => {
        if ("missing" in launched) throw new Error(launched.missing);
        return launched;
      });
      this.browsers.set(hasWebGl, browser);
    }
    return browser;
  }
}

/**
 * Limits a page to 12 frames per second, as its first script. Without a graphics card the processor draws every pixel,
 * and at 60 frames per second that takes most of the time of a test that plays a flight.
 */
export function drawSlowly(): void {
  const request = requestAnimationFrame.bind(globalThis);
  let lastMs = 0;
  globalThis.requestAnimationFrame = (callback) => {
    const waitMs = lastMs + 1000 / 12 - performance.now();
    const draw = () =>
      request((nowMs) => {
        lastMs = performance.now();
        callback(nowMs);
      });
    return waitMs > 0 ? (setTimeout(draw, waitMs) as unknown as number) : draw();
  };
}

/** Removes WebGL from a page, as its first script. */
export function hideWebGl(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith("webgl") ? null : (getContext as (...all: unknown[]) => unknown).call(this, kind, ...rest);
  } as typeof getContext;
}

/** Polls until a condition holds, because the page's policy forbids the browser to compile a condition from text. */
export async function until<T>(page: Page, condition: (given: T) => boolean, given?: T): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if (await page.evaluate(condition as (value: unknown) => boolean, given as unknown)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true: ${condition.toString()}`);
}

/** Returns true if all flights of the page are flown to their ends. */
export function isFlown(): boolean {
  const flights = escapement.state.flights.value;
  return flights.length > 0 && flights.every(({ end }) => end.value !== undefined);
}

export const nowUs = (page: Page) => page.evaluate(() => escapement.state.nowUs.value);

export async function goTo(page: Page, tUs: number): Promise<void> {
  await page.evaluate((to) => escapement.playhead.goTo(to), tUs);
}

/** Opens a built-in flight from the start page and waits until it is flown and plotted. */
export async function openFlight(page: Page, name = "motor-out"): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await until(page, isFlown);
  await page.waitForSelector(".plot canvas");
}

/** Opens a description without the start page. */
export async function openText(page: Page, text: string): Promise<void> {
  await page.evaluate(async (given) => {
    await escapement.open(given);
  }, text);
  await until(page, isFlown);
  await page.waitForSelector(".plot canvas");
}

/** Keeps the workers that the page starts from now on, so that `crashEngine` can reach them. */
export async function watchWorkers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { Worker } = globalThis;
    const all: Worker[] = [];
    Object.assign(globalThis, {
      workers: all,
      Worker: class extends Worker {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given);
          all.push(this);
        }
      },
    });
    // Close the engine that drew the start page, so that the page starts a new one.
    (escapement as unknown as { engine: { close(): void } }).engine.close();
  });
}

/** Reports a crash of the engine to the page, and waits until the page shows it. The page terminates the worker. */
export async function crashEngine(page: Page): Promise<void> {
  await page.evaluate(() => {
    const [worker] = (globalThis as unknown as { workers: Worker[] }).workers;
    worker!.dispatchEvent(new ErrorEvent("error", { message: "killed by a test" }));
  });
  await until(page, () => document.querySelector(".card")?.textContent?.includes("killed by a test") === true);
}

export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** Saves a screenshot if `VIEW_SHOTS` names a folder. */
export async function keepShot(page: Page, name: string): Promise<void> {
  const shots = process.env["VIEW_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
}
