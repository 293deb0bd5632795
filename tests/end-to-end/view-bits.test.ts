/**
 * [L9.1] The worker of the viewer gives the committed digests in Chromium: served with its policy, which forbids code
 * generation, and in the one-file page, opened from disk.
 */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FingerprintDigests } from "@escapement/core";
import { type ReferenceFlight, referenceFlights } from "../determinism/reference-flights.ts";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { type BuiltCommand, buildCommand, CommandSession } from "../support/command.ts";
import { flyInPage } from "../support/fly-in-page.ts";
import { isFullVolume } from "../support/volume.ts";

const digests = new URL("../determinism/digests.json", import.meta.url);
const committed = JSON.parse(readFileSync(digests, "utf8")) as Record<string, FingerprintDigests>;
const folder = mkdtempSync(join(tmpdir(), "escapement-view-"));
let command: BuiltCommand;

beforeAll(async () => {
  command = await buildCommand();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Returns all flights in the long tests. In `npm test`, returns half of the short flights, so that the two pages
 * together fly all short flights.
 */
function half(which: 0 | 1): readonly ReferenceFlight[] {
  if (isFullVolume) return referenceFlights;
  return referenceFlights.filter(({ isShort }) => isShort).filter((_, i) => i % 2 === which);
}

const digestsOf = (flights: readonly ReferenceFlight[]) =>
  Object.fromEntries(flights.map(({ name }) => [name, committed[name]]));

/**
 * Returns the digests of flights flown by the page at an address. Throws if the page sends a request to a different
 * origin.
 */
async function flownAt(
  address: string,
  flights: readonly ReferenceFlight[],
  skip: (reason: string) => never,
): Promise<unknown> {
  // Start a separate browser, because Chromium in one process does not survive the end of a page with workers.
  const browser = await launchChromium();
  if ("missing" in browser) return skip(browser.missing);
  const page = await browser.newPage();
  const origin = new URL(address).origin;
  const others: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(?:blob|data|file):/.test(url) && !url.startsWith(origin)) others.push(url);
  });
  await page.goto(address);
  const texts = flights.map(({ name, spec }) => [name, JSON.stringify(spec)] as const);
  const flown = await page.evaluate(flyInPage, texts);
  await browser.close();
  expect(others).toEqual([]);
  return flown;
}

describe("the viewer", () => {
  it("has the committed digests when it is served", async ({ skip }) => {
    const server = command.start(["view", "--no-open", "--json"]);
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    const { url } = JSON.parse(String(line)) as { readonly url: string };
    try {
      expect(await flownAt(url, half(0), skip)).toEqual(digestsOf(half(0)));
    } finally {
      server.kill("SIGINT");
    }
  });

  it("has the committed digests as one file", async ({ skip }) => {
    const path = join(folder, "view.html");
    expect(await new CommandSession(command, folder).run(["view", "--save", path])).toMatchObject({ code: 0 });
    expect(await flownAt(pathToFileURL(path).href, half(1), skip)).toEqual(digestsOf(half(1)));
  });
});
