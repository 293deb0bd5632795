/**
 * Tests the server of `escapement view` with a real client and a real browser. It answers only this machine and only
 * with its token, sends a strict policy, causes no request to a different origin, and writes files only if no other
 * program changed them. Links open the same flight in Node and in Chromium.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { makeLink, openLink } from "../../packages/viewer/src/view/store/link.ts";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { storeInNode, untilFlown } from "../../packages/viewer/src/view/testing/store-in-node.ts";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { type BuiltCommand, buildCommand } from "../support/command.ts";
import { drawSlowly, hideWebGl, isFlown, SLOW_MS, until } from "../support/view-page.ts";

declare const escapement: Store;

const TEXT = 'extends = "hover"\ntimeline.endS = 2\n';
const folder = mkdtempSync(join(tmpdir(), "escapement-view-server-"));
const file = join(folder, "short.toml");
const servers: ChildProcess[] = [];
let command: BuiltCommand;
let browser: Browser | { readonly missing: string };

interface Served {
  readonly url: string;
  readonly origin: string;
  readonly token: string;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const server = command.start(["view", "--no-open", "--json", ...args]);
  servers.push(server);
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  return { url, origin: new URL(url).origin, token: url.split("#k=")[1]! };
}

beforeAll(async () => {
  command = await buildCommand();
  browser = await launchChromium({ isIsolated: true, hasWebGl: false });
}, SLOW_MS);
afterAll(async () => {
  for (const server of servers) server.kill("SIGINT");
  if ("newPage" in browser) await browser.close();
  rmSync(folder, { recursive: true });
});

/** Returns the status of a request with headers that `fetch` does not allow. */
function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on("error", reject);
    sent.end();
  });
}

const isRefused = (url: string, protocol: string, origin?: string) =>
  new Promise<boolean>((resolve) => {
    const socket = new WebSocket(url, protocol, origin === undefined ? {} : { origin });
    socket.on("error", () => resolve(true));
    socket.on("open", () => {
      socket.terminate();
      resolve(false);
    });
  });

/** Opens an address, and collects requests to other origins and violations of the policy as problems. */
async function openPage(url: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await (browser as Browser).newPage({ locale: "en-US" });
  page.setDefaultTimeout(SLOW_MS);
  const problems: string[] = [];
  page.on("request", (sent) => {
    const address = sent.url();
    if (!address.startsWith(new URL(url).origin) && !/^(?:blob|data):/.test(address)) problems.push(address);
  });
  page.on("console", (message) => {
    if (/content.security.policy/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  // These tests need no 3-D scene, and without a graphics card a flat one is drawn much faster.
  await page.addInitScript(hideWebGl);
  await page.addInitScript(drawSlowly);
  await page.goto(url);
  return { page, problems };
}

describe("the server of the page", () => {
  it("answers only requests from this machine and its own page, and only with its token", async () => {
    writeFileSync(file, TEXT);
    const { origin, token } = await serve(file);
    const { host, port } = new URL(origin);
    const own = { "X-Escapement-Token": token };
    expect(await statusOf(`${origin}/`, { Host: host })).toBe(200);
    expect(await statusOf(`${origin}/`, { Host: `localhost:${port}` })).toBe(200);
    expect(await statusOf(`${origin}/`, { Host: `evil.example:${port}` })).toBe(403);
    expect(await statusOf(`${origin}/session`, { ...own, Origin: "http://evil.example" })).toBe(403);
    expect(await statusOf(`${origin}/session`, own)).toBe(200);
    expect(await statusOf(`${origin}/session`, {})).toBe(404);
    expect(await statusOf(`${origin}/session`, { "X-Escapement-Token": `${token}x` })).toBe(404);
    for (const path of ["/files/1", "/files/-1", "/..%2f..%2fpackage.json", "/short.toml", "/files/00000"]) {
      expect([path, await statusOf(origin + path, own)]).toEqual([path, 404]);
    }
    const socket = `ws://${host}/changes`;
    expect(await isRefused(socket, `escapement.${token}`)).toBe(false);
    expect(await isRefused(socket, `escapement.${token}x`)).toBe(true);
    expect(await isRefused(socket, `escapement.${token}`, "http://evil.example")).toBe(true);
    expect(await isRefused(`ws://${host}/other`, `escapement.${token}`)).toBe(true);
  });

  it("sends a strict policy with everything", async () => {
    const { origin } = await serve();
    for (const path of ["/", "/engine.js", "/nothing"]) {
      const { headers } = await fetch(origin + path);
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|wasm|\*(?!$| |;)|https?:/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
  });

  it("writes a file only if no other program changed it", async () => {
    writeFileSync(file, TEXT);
    const { origin, token } = await serve(file);
    const headers = { "X-Escapement-Token": token };
    const { hash } = (await (await fetch(`${origin}/files/0`, { headers })).json()) as { hash: string };
    const put = (body: string, match: string) =>
      fetch(`${origin}/files/0`, { method: "PUT", body, headers: { ...headers, "If-Match": match } });
    const written = await put(`${TEXT}seed = 2\n`, hash);
    expect(written.status).toBe(200);
    expect(readFileSync(file, "utf8")).toBe(`${TEXT}seed = 2\n`);
    const refused = await put(`${TEXT}seed = 3\n`, hash);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "VIEW-005", where: { file: "short.toml" } },
    ]);
    expect(readFileSync(file, "utf8")).toBe(`${TEXT}seed = 2\n`);
    const { hash: next } = (await written.json()) as { hash: string };
    const tooLong = await put("#".repeat(1_100_000), next);
    expect([tooLong.status, await tooLong.json()]).toMatchObject([413, { code: "VIEW-007" }]);
  });

  it("writes nothing if it is read-only or if the file is not a description", async () => {
    writeFileSync(file, TEXT);
    const log = join(folder, "a.csv");
    writeFileSync(log, "# x\n");
    for (const args of [["--read-only", file], [log]]) {
      const { origin, token } = await serve(...args);
      const headers = { "X-Escapement-Token": token, "If-Match": "" };
      const response = await fetch(`${origin}/files/0`, { method: "PUT", body: "x", headers });
      expect([response.status, await response.json()]).toMatchObject([403, { code: "VIEW-006" }]);
    }
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });
});

describe("the served page", () => {
  it(
    "saves into its file after asking once, and shows an error if the file changed",
    { timeout: 2 * SLOW_MS },
    async ({ skip }) => {
      if ("missing" in browser) return skip(browser.missing);
      writeFileSync(file, TEXT);
      const { url } = await serve(file);
      const { page, problems } = await openPage(url);
      await until(page, isFlown);
      await page.evaluate(() => {
        void escapement.branch({ kind: "text", text: 'extends = "hover"\ntimeline.endS = 3\n', files: {} }, "edited");
      });
      await until(page, () => escapement.state.flights.value.length === 2);
      await until(page, isFlown);
      await page.keyboard.press("Control+s");
      await page.getByRole("button", { name: "Write short.toml" }).click();
      await until(page, () => escapement.state.troubles.value.some(({ title }) => title === "short.toml is saved"));
      expect(readFileSync(file, "utf8")).toBe('extends = "hover"\ntimeline.endS = 3\n');

      // A different program changes the file: the page opens the new text, and does not overwrite a later one.
      writeFileSync(file, `${TEXT}seed = 9\n`);
      await until(page, () => escapement.state.active.value?.head.value?.text?.includes("seed = 9") === true);
      await until(page, isFlown);
      await page.route("**/files/0", async (route) => {
        if (route.request().method() === "PUT") writeFileSync(file, `${TEXT}seed = 10\n`);
        await route.continue();
      });
      await page.keyboard.press("Control+s");
      await page.getByText("has changed on the disk since the page read it").waitFor();
      expect(await page.locator(".card code").textContent()).toContain("VIEW-005");
      expect(readFileSync(file, "utf8")).toBe(`${TEXT}seed = 10\n`);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it(
    "opens a link made in Node with the same fingerprint, and Node opens a link of the page",
    { timeout: 2 * SLOW_MS },
    async ({ skip }) => {
      if ("missing" in browser) return skip(browser.missing);
      const { origin } = await serve();
      const mine = storeInNode();
      await untilFlown(await mine.open(TEXT, { name: "from Node" }));
      const gust = { at: "0.5 s", for: "1 s", gust: { velNedMps: [0, 6, 0] } };
      await untilFlown((await mine.inject([gust], "gust"))!);
      mine.playhead.goTo(1_500_000);
      const made = (await makeLink(mine.state, "0.0.0", `${origin}/`)) as { readonly link: string };
      const { page, problems } = await openPage(made.link);
      await until(page, isFlown);
      const seen = await page.evaluate(() => ({
        verified: escapement.state.flights.value.map(({ verification }) => verification.value?.is),
        fingerprints: escapement.state.flights.value.map(({ end }) => end.value?.fingerprint),
        nowUs: escapement.state.nowUs.value,
      }));
      const fingerprints = mine.state.flights.peek().map(({ end }) => end.peek()?.fingerprint);
      expect(seen).toEqual({ verified: ["same", "same"], fingerprints, nowUs: 1_500_000 });

      await page.evaluate(() => {
        const land = { at: "0.8 s", land: {} };
        void escapement.inject([land], "land");
      });
      await until(page, () => escapement.state.flights.value.length === 3);
      await until(page, isFlown);
      await page.keyboard.press("y");
      const link = await page.getByLabel("Link to this flight").inputValue();
      const other = storeInNode();
      expect(await openLink(other, link)).toBe(true);
      for (const flight of other.state.flights.peek()) await untilFlown(flight);
      expect(other.state.flights.peek().map(({ verification }) => verification.peek()?.is)).toEqual(
        Array.from({ length: 3 }, () => "same"),
      );

      // A damaged link is shown as an error card, and the page still works.
      await page.goto("about:blank");
      await page.goto(`${link.slice(0, -30)}`);
      await page.getByText("the link is incomplete or damaged").waitFor();
      expect(await page.locator(".card code").textContent()).toContain("VIEW-001");
      expect(problems).toEqual([]);
      await page.close();
    },
  );
});
