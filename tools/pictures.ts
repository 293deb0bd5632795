/**
 * Makes the pictures of the README: `npm run pictures`.
 *
 * Flies the default mission in a terminal of 80 columns and draws what it prints as SVG, and takes a screenshot of a
 * report page. Run it when the summary or the page changes, look at the pictures, and commit them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "../tests/determinism/runtimes/chromium.ts";

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

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The words of a text with the columns at which they start. */
function words(text: string): [word: string, column: number][] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => [word, Array.from(text.slice(0, index)).length]);
}

/** One line of terminal output as spans: the escape codes are those of `cli/src/print/style.ts`. */
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
      // Each word has its own place and length, so that fonts of another width keep the columns.
      for (const [word, start] of words(part)) {
        const x = (PADDING + (column + start) * CELL.width).toFixed(1);
        const length = ([...word].length * CELL.width).toFixed(1);
        svg += `<tspan x="${x}" textLength="${length}"${fill}${weight}${opacity}>${escaped(word)}</tspan>`;
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

mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, "terminal.svg"), terminalSvg("npx escapement fly", run(["fly"])));
await reportPicture(join(FOLDER, "report.png"));
