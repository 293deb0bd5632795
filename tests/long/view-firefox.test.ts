/**
 * Tests the viewer in Firefox: its worker gives the committed digests, served with its policy and as one file, and the
 * page flies, scrubs, injects and plots.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { referenceFlights } from "../determinism/reference-flights.ts";
import { type BuiltCommand, buildCommand } from "../support/command.ts";
import { Firefox } from "../support/firefox.ts";
import { flyInPage } from "../support/fly-in-page.ts";

declare const escapement: Store;

const committed: Readonly<Record<string, object>> = JSON.parse(
  readFileSync(new URL("../determinism/digests.json", import.meta.url), "utf8"),
);
const texts = referenceFlights.map(({ name, spec }) => [name, JSON.stringify(spec)] as const);
const folder = mkdtempSync(join(tmpdir(), "escapement-firefox-"));
let command: BuiltCommand;
let server: ChildProcess;
let url = "";
let firefox: Awaited<ReturnType<typeof Firefox.launch>>;

beforeAll(async () => {
  command = await buildCommand();
  server = command.start(["view", "--no-open", "--json"]);
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  ({ url } = JSON.parse(String(line)) as { readonly url: string });
  firefox = await Firefox.launch();
});

afterAll(async () => {
  if (!("missing" in firefox)) await firefox.close();
  server.kill("SIGINT");
  rmSync(folder, { recursive: true });
});

async function until(browser: Firefox, condition: () => boolean): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if (await browser.evaluate(condition)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never true: ${condition.toString()}`);
}

describe.each(["served", "as one file"] as const)(
  "[L9.1] the page in Firefox, %s, gives the committed digests",
  (way) => {
    beforeAll(async () => {
      if ("missing" in firefox) return;
      const path = join(folder, "view.html");
      if (way === "as one file") expect(await command.run(["view", "--save", path])).toMatchObject({ code: 0 });
      await firefox.goto(way === "served" ? url : pathToFileURL(path).href);
    });

    it.for(texts)("of %s", async ([name, text], { skip }) => {
      if ("missing" in firefox) return skip(firefox.missing);
      expect(await firefox.evaluate(flyInPage, [[name, text]])).toEqual({ [name]: committed[name] });
    });
  },
);

describe("the page in Firefox", () => {
  it("flies, goes to an instant by pointer and keys, injects, plots and makes a link", async ({ skip }) => {
    if ("missing" in firefox) return skip(firefox.missing);
    await firefox.goto(url);
    await until(firefox, () => typeof escapement !== "undefined");
    await firefox.evaluate(() => escapement.openBuiltIn("motor-out").then(() => null));
    await until(firefox, () => escapement.state.flights.value.every(({ end }) => end.value !== undefined));
    await until(firefox, () => document.querySelector(".plot canvas") !== null);
    const at = await firefox.evaluate(() => {
      const { x, y, width } = document.querySelector(".time-track")!.getBoundingClientRect();
      return { x: x + width / 2, y: y + 10 };
    });
    await firefox.click(at.x, at.y);
    const clicked = await firefox.evaluate(() => escapement.state.nowUs.value);
    expect(clicked).toBeGreaterThan(5e6);
    await firefox.press("ArrowRight");
    expect(await firefox.evaluate(() => escapement.state.nowUs.value)).toBe(clicked + 1_000_000);
    await firefox.press("l");
    await until(firefox, () => escapement.state.flights.value.length === 2);
    await until(firefox, () => escapement.state.flights.value.every(({ end }) => end.value !== undefined));
    expect(await firefox.evaluate(() => escapement.state.active.value!.head.value!.text)).toContain("land");
    await firefox.press("y");
    await until(firefox, () => document.querySelector("dialog input") !== null);
    expect(await firefox.evaluate(() => document.querySelector<HTMLInputElement>("dialog input")!.value)).toContain(
      "#e1.",
    );
    expect(firefox.problems).toEqual([]);
  });
});
