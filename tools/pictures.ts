/**
 * Makes the pictures of the README and the docs: `npm run build && npm run pictures`.
 *
 * Flies the default mission in a terminal of 80 columns and draws what it prints as SVG, and takes screenshots of a
 * report page and of the viewer. Run it when the summary or a page changes, look at the pictures, and commit them. The
 * viewer needs fonts on the machine.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { EventSpec } from "../packages/viewer/src/view/protocol.ts";
import type { Store } from "../packages/viewer/src/view/store/store.ts";
import { launchChromium } from "../tests/determinism/runtimes/chromium.ts";
import { goTo, isFlown, openFlight, SLOW_MS, until, ViewBench } from "../tests/support/view-page.ts";

declare const escapement: Store;

const FOLDER = "docs/pictures";
const COMMAND = "packages/cli/dist/escapement.js";
const COLUMNS = 80;
const CELL = { width: 8.4, height: 18, fontSize: 14 };
const PADDING = 18;
const BAR = 34;
const COLOURS: Readonly<Record<string, string>> = { "36": "#4fc1ff", "31": "#ff7b72" };

function run(args: readonly string[]): string {
  const env = { ...process.env, FORCE_COLOR: "1", COLUMNS: String(COLUMNS) };
  return execFileSync(process.execPath, [COMMAND, ...args], { encoding: "utf8", env });
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the words of a text with the columns at which they start. */
function words(text: string): [word: string, column: number][] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => [word, Array.from(text.slice(0, index)).length]);
}

/** Converts one line of terminal output to spans. The escape codes are those of `cli/src/print/style.ts`. */
function spans(line: string): string {
  const style = { fill: "", dim: false, bold: false };
  let column = 0;
  let svg = "";
  // oxlint-disable-next-line no-control-regex -- terminal colours start with the escape character
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    // oxlint-disable-next-line no-control-regex -- as above
    const [, code] = /^\u001b\[(\d+)m$/.exec(part) ?? [];
    if (code !== undefined) {
      if (code === "39") style.fill = "";
      else if (code === "22") [style.dim, style.bold] = [false, false];
      else if (code === "2") style.dim = true;
      else if (code === "1") style.bold = true;
      else style.fill = COLOURS[code] ?? "";
    } else if (part !== "") {
      const fill = style.fill === "" ? "" : ` fill="${style.fill}"`;
      const weight = style.bold ? ' font-weight="bold"' : "";
      const opacity = style.dim ? ' fill-opacity="0.62"' : "";
      // Each word has its own position and length, so that fonts of a different width keep the columns.
      for (const [word, start] of words(part)) {
        const x = (PADDING + (column + start) * CELL.width).toFixed(1);
        const length = ([...word].length * CELL.width).toFixed(1);
        svg += `<tspan x="${x}" textLength="${length}"${fill}${weight}${opacity}>${escapeXml(word)}</tspan>`;
      }
      column += [...part].length;
    }
  }
  return svg;
}

function terminalSvg(prompt: string, output: string): string {
  const lines = [`\u001b[36m$\u001b[39m ${prompt}`, "", ...output.trimEnd().split("\n")];
  const width = Math.ceil(2 * PADDING + COLUMNS * CELL.width);
  const height = BAR + lines.length * CELL.height + PADDING;
  const texts = lines.map((line, i) => `<text y="${BAR + (i + 1) * CELL.height - 4}">${spans(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
<g fill="#484f58"><circle cx="18" cy="17" r="5"/><circle cx="36" cy="17" r="5"/><circle cx="54" cy="17" r="5"/></g>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${CELL.fontSize}">
${texts.join("\n")}
</g>
</svg>
`;
}

async function reportPicture(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-pictures-"));
  const browser = await launchChromium();
  if ("missing" in browser) throw new Error(browser.missing);
  try {
    run(["fly", "gust", "--record", join(folder, "gust.mcap")]);
    run(["report", join(folder, "gust.mcap"), "-o", join(folder, "gust.html")]);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
    await page.goto(pathToFileURL(join(folder, "gust.html")).href);
    await page.waitForTimeout(1000);
    await page.screenshot({ path: file, animations: "disabled" });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

const WITH_ERRORS = `extends = "mission"
seed = 7

[wind]
kind = "dryden"
sigmaNedMps = [1.5, 1.5, -0.8]

[[scenario]]
at = "24 s"
motorOff = { motor = 9 }
`;

/**
 * Takes pictures of three futures of the default mission, of their comparison, of a description with errors, and of a
 * flight by hand.
 */
async function viewPictures(): Promise<void> {
  const bench = await ViewBench.start();
  try {
    const { page } = await bench.open();
    await openFlight(page, "mission");
    await branch(page, 24, { at: "24 s", motorLoss: { motor: 2, gain: 0.75 } }, "motor 2 at 75 %");
    await page.evaluate(() => escapement.activate(escapement.state.flights.value[0]!.id));
    await branch(page, 22, { at: "22 s", for: "4 s", gust: { velNedMps: [0, 9, 0] } }, "gust 9 m/s");
    await goTo(page, 24_400_000);
    await shoot(page, "view.jpg");
    await page.keyboard.press("c");
    await shoot(page, "view-compare.jpg");
    await page.keyboard.press("c");
    await page.evaluate(() => escapement.activate(escapement.state.flights.value[0]!.id));
    await page.keyboard.press("e");
    await page.waitForSelector(".editor .cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(WITH_ERRORS);
    await until(page, () => escapement.state.diagnostics.value.length > 1);
    await shoot(page, "view-describe.jpg");
    await handPicture(bench);
  } finally {
    await bench.stop();
  }
}

/** Takes a picture of a flight by hand: forward, and turning left. */
async function handPicture(bench: ViewBench): Promise<void> {
  const { page } = await bench.open();
  await openFlight(page, "mission");
  await goTo(page, 18_000_000);
  await page.keyboard.press("j");
  await page.waitForSelector(".hand-bar");
  await page.keyboard.down("w");
  await page.keyboard.down("ArrowLeft");
  await until(page, () => escapement.state.active.value!.flownUs.value > 22_000_000);
  await page.screenshot({ path: join(FOLDER, "view-hand.jpg"), type: "jpeg", quality: 85, timeout: SLOW_MS });
  await page.close();
}

async function branch(page: Page, atS: number, event: EventSpec, name: string): Promise<void> {
  await goTo(page, atS * 1e6);
  await page.evaluate(
    async ([events, title]) => {
      await escapement.inject(events, title);
    },
    [[event], name] as const,
  );
  await until(page, isFlown);
}

async function shoot(page: Page, name: string): Promise<void> {
  // The scene and the plots are drawn in the next frames.
  await page.waitForTimeout(3000);
  await page.screenshot({ path: join(FOLDER, name), type: "jpeg", quality: 85, timeout: SLOW_MS });
}

// Set this before the first browser starts, because the browser in the npm package has no fonts.
if (existsSync("/etc/fonts")) process.env["FONTCONFIG_PATH"] = "/etc/fonts";
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, "terminal.svg"), terminalSvg("npx escapement fly", run(["fly"])));
await reportPicture(join(FOLDER, "report.png"));
await viewPictures();
