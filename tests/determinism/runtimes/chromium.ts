/**
 * Starts headless Chromium: the system's if it has one, otherwise (on Linux x64) the one in an npm package.
 *
 * The package unpacks 200 MB once, into `.cache/chromium`. It unpacks the shared libraries that Chromium needs only on
 * AWS Lambda, so we set Lambda's environment variable while importing it.
 */
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { withLock } from "../../support/build-once.ts";

const UNPACKED = fileURLToPath(new URL("../../../.cache/chromium", import.meta.url));
/** Lock held while a process unpacks, because a second process could otherwise run half-written files. */
const LOCK = `${UNPACKED}.lock`;
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

/** Flags for machines without a graphics card: 3-D in software, and 2-D without acceleration, which is faster then. */
const SOFTWARE_GL = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-accelerated-2d-canvas",
  "--headless=shell",
];

/**
 * Flags for pages without 3-D. Compositing without a graphics process takes half the processor time of `SOFTWARE_GL`.
 */
const FLAT = ["--no-sandbox", "--disable-gpu", "--headless=shell"];

interface Found {
  readonly executablePath: string;
  readonly env: NodeJS.ProcessEnv;
  /** Flags that the package adds. */
  readonly args: readonly string[];
}

let found: Promise<Found | { readonly missing: string }> | undefined;

/**
 * Starts a browser, or returns the reason why there is none. If `isIsolated` is set, the browser has the security and
 * the processes of a normal one, and has WebGL unless `hasWebGl` is false. Otherwise, flags of the browser's npm
 * package turn all of these off.
 */
export async function launchChromium({ isIsolated = false, hasWebGl = true } = {}): Promise<
  Browser | { readonly missing: string }
> {
  const browser = await (found ??= find());
  if ("missing" in browser) return browser;
  const { executablePath, env, args } = browser;
  return withNameHelper(
    await chromium.launch({
      executablePath,
      env: env as Record<string, string>,
      args: isIsolated ? (hasWebGl ? SOFTWARE_GL : FLAT) : [...args, ...QUIET],
    }),
  );
}

/**
 * Defines `__name` in every page of a browser. The loader of the tests wraps named functions in calls of it, even
 * inside functions that a test sends to a page.
 */
function withNameHelper(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript("globalThis.__name = (value) => value;");
    return context;
  };
  return browser;
}

async function find(): Promise<Found | { readonly missing: string }> {
  // The browser from npm has no font configuration, so use the system's if there is one. Without fonts, texts have no
  // height.
  const fonts = existsSync("/etc/fonts") ? { FONTCONFIG_PATH: "/etc/fonts" } : {};
  const system = process.env["CHROMIUM"] ?? SYSTEM.find((path) => existsSync(path));
  if (system !== undefined) return { executablePath: system, env: { ...fonts, ...process.env }, args: [] };
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { missing: `no Chromium found on ${process.platform} ${process.arch}; set CHROMIUM to the path of one` };
  }
  mkdirSync(UNPACKED, { recursive: true });
  // The package reads and changes the environment of this process. Only the browser may see the changes.
  const own = { ...process.env };
  Object.assign(process.env, { ...fonts, ...own, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x", TMPDIR: UNPACKED });
  try {
    const { default: carried } = await import("@sparticuz/chromium");
    const executablePath = await withLock(LOCK, () => carried.executablePath());
    return { executablePath, env: { ...process.env }, args: carried.args };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
  }
}
