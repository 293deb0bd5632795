/**
 * A headless Chromium: the system's where there is one, on Linux x64 the one that the npm package carries.
 *
 * The package unpacks 200 MB, once, into a folder of our own; it unpacks its shared libraries only when it believes to
 * run on AWS Lambda, so it is told so before it is imported.
 */
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const UNPACKED = fileURLToPath(new URL("../../../.cache/chromium", import.meta.url));
const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Undefined, with a reason, where no browser can be had. */
export async function launchChromium(): Promise<Browser | { readonly missing: string }> {
  const system = process.env["CHROMIUM"] ?? SYSTEM.find((path) => existsSync(path));
  if (system !== undefined) return chromium.launch({ executablePath: system, args: QUIET });
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { missing: `no Chromium found on ${process.platform} ${process.arch}; name one in CHROMIUM` };
  }
  mkdirSync(UNPACKED, { recursive: true });
  process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs20.x";
  process.env["TMPDIR"] = UNPACKED;
  const { default: carried } = await import("@sparticuz/chromium");
  const executablePath = await carried.executablePath();
  return chromium.launch({ executablePath, args: [...carried.args, ...QUIET] });
}
