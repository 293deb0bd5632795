/**
 * The determinism matrix (law 9): the same flights give the committed digests in every runtime.
 *
 * `npm run digests` writes `digests.json`; if a plant digest changes, it requires a line under *Behaviour* in the
 * changelog. This process flies all flights, and the built viewer flies the short ones in a browser
 * (`view-bits.test.ts`). A second process, a worker thread and a browser page fly a third of the excerpts of the short
 * flights each. This process, a second process and a browser page continue a third of the short flights from the middle
 * each. Slow runtimes fly a sample. The long tests fly all flights in all these runtimes, add other Node versions, and
 * fly the whole short flights in interpreters.
 */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  assemble,
  coreRegistry,
  type FingerprintDigests,
  flightLoop,
  flyNow,
  Fingerprint,
  Flight,
  mustResolve,
  replayParts,
  resolveFlight,
  type Sink,
} from "@escapement/core";
import {
  continueAll,
  flyAll,
  flyReference,
  namesOf,
  referenceFlights,
  resolveReference,
  saveHalfway,
  travelAll,
} from "./reference-flights.ts";
import { bundleFlights } from "./runtimes/bundle.ts";
import { launchChromium } from "./runtimes/chromium.ts";
import { runInProcess } from "./runtimes/process.ts";
import { runInQuickJs } from "./runtimes/quickjs.ts";
import { isFullVolume } from "../support/volume.ts";

type Digests = Record<string, FingerprintDigests>;
const committed = JSON.parse(readFileSync(new URL("./digests.json", import.meta.url), "utf8")) as Digests;

const excerpts = flyAll("excerpts");
/** The flights that other runtimes share, and their expected digests. */
const [set, expectedOfSet] = isFullVolume ? (["all", committed] as const) : (["excerpts", excerpts] as const);

/** Returns every third entry, starting with the first, second or third; all of them in the long tests. */
function third<T>(digests: Readonly<Record<string, T>>, which: 0 | 1 | 2): Record<string, T> {
  return Object.fromEntries(Object.entries(digests).filter((_, i) => isFullVolume || i % 3 === which));
}

/** The call that flies a third of the set in another runtime. */
const flyThird = (which: 0 | 1 | 2) =>
  `referenceFlights.flyAll("${set}", ${JSON.stringify(Object.keys(third(expectedOfSet, which)))})`;
/** The flights of runtimes without an optimising compiler. */
const slowSet = isFullVolume ? "excerpts" : "sample";
const expectedOfSlow = Object.fromEntries(namesOf(slowSet).map((name) => [name, excerpts[name]]));

const short = Object.fromEntries(
  referenceFlights.filter(({ isShort }) => isShort).map(({ name }) => [name, committed[name]]),
);

let code = "";
let browser: Browser | { readonly missing: string };
beforeAll(async () => {
  code = await bundleFlights();
  browser = await launchChromium();
});
afterAll(async () => {
  if ("newPage" in browser) await browser.close();
});

/** Returns the value of an expression in a page of Chromium that has loaded the flights. */
async function evaluateInPage(expression: string, skip: (reason: string) => never): Promise<unknown> {
  if ("missing" in browser) return skip(browser.missing);
  const page = await browser.newPage();
  await page.addScriptTag({ content: code });
  return page.evaluate(expression);
}

describe("[L9.1] one process", () => {
  it.each(referenceFlights)("$name has its committed digests", (reference) => {
    const digests = flyReference(reference);
    expect(digests, "after an intended change, run `npm run digests`").toEqual(committed[reference.name]);
  });

  it("the excerpts have the same digests when they are flown again", () => {
    expect(flyAll("excerpts")).toEqual(excerpts);
  });
});

describe("[L9.1] other runtimes give the same digests", () => {
  it("a fresh process", async () => {
    expect(await runInProcess(code, { call: flyThird(0) })).toEqual(third(expectedOfSet, 0));
  });

  it("a fresh process without the optimising compilers, on excerpts", async () => {
    expect(await runInProcess(code, { args: ["--no-opt"], flights: slowSet })).toEqual(expectedOfSlow);
  });

  it("a worker thread", async () => {
    const worker = new Worker(`${code}\nrequire("node:worker_threads").parentPort.postMessage(${flyThird(1)});`, {
      eval: true,
    });
    const digests = await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    await worker.terminate();
    expect(digests).toEqual(third(expectedOfSet, 1));
  });

  it("headless Chromium", async ({ skip }) => {
    expect(await evaluateInPage(flyThird(2), skip)).toEqual(third(expectedOfSet, 2));
  });

  it("QuickJS, on excerpts", async () => {
    expect(await runInQuickJs(code, slowSet)).toEqual(expectedOfSlow);
  });
});

describe("[L9.7] flights saved half-way in this process are continued with the committed digests", () => {
  const saved = saveHalfway();
  const continueThird = (which: 0 | 1) => `referenceFlights.continueAll(${JSON.stringify(third(saved, which))})`;

  it("in a second process", async () => {
    expect(await runInProcess(code, { call: continueThird(0) })).toEqual(third(short, 0));
  });

  it("in headless Chromium", async ({ skip }) => {
    expect(await evaluateInPage(continueThird(1), skip)).toEqual(third(short, 1));
  });

  it("in this process", () => {
    expect(continueAll(third(saved, 2))).toEqual(third(short, 2));
  });
});

describe("[L9.7] [L11.6] sessions that go back and branch", () => {
  it("give the committed digests, and those of the branches from their start, in a worker of Chromium", async ({
    skip,
  }) => {
    const here = travelAll();
    for (const [name, { whole }] of Object.entries(here)) expect(whole).toEqual(committed[name]);
    // Start a separate browser, because Chromium in one process does not survive the end of a page with workers.
    const separateBrowser = await launchChromium();
    if ("missing" in separateBrowser) return skip(separateBrowser.missing);
    try {
      const page = await separateBrowser.newPage();
      const travel = `${code}\npostMessage({ travel: referenceFlights.travelAll(), hasPage: "document" in self });`;
      // Pass the code as text, because in the test `Worker` is Node's.
      const call = `new Promise((resolve, reject) => {
        const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(travel)}])));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      })`;
      expect(await page.evaluate(call)).toEqual({ travel: here, hasPage: false });
    } finally {
      await separateBrowser.close();
    }
  });
});

describe("the digest does not change", () => {
  const reference = referenceFlights.find(({ name }) => name === "mission-start-rk4")!;
  const resolved = resolveReference(reference);
  const plantDigest = committed[reference.name]?.plant;

  it("[L9.9] with sinks and probes", () => {
    const rows: number[] = [];
    const sink: Sink = {
      neverFull: true,
      isFull: false,
      open: () => {},
      row: (tUs) => void rows.push(tUs),
      drain: async () => {},
      close: async () => {},
    };
    const assembled = assemble(resolved.definition, coreRegistry, {
      sinks: [sink],
      probes: [{ observe: (clock) => void rows.push(clock.us) }],
    });
    flyNow(assembled.flight);
    expect(rows.length).toBeGreaterThan(1000);
    expect(assembled.fingerprint?.result().plant).toBe(plantDigest);
  });

  it("[L1.4] with pauses at random boundaries", () => {
    const assembled = assemble(resolved.definition, coreRegistry);
    const markUs = Float64Array.of(0);
    const loop = flightLoop(assembled.flight, { yieldEvery: 7, markUs });
    let pauses = 0;
    for (let step = loop.next(); step.done !== true; step = loop.next()) {
      if (step.value === "mark") markUs[0]! += 13_000;
      pauses += 1;
    }
    expect(pauses).toBeGreaterThan(500);
    expect(assembled.fingerprint?.result().plant).toBe(plantDigest);
  });

  it("[L9.7] after a save and load at any boundary", () => {
    for (const atUs of [0, 1000, 4000, 999_000, 1_000_000, 2_345_000, 3_999_000]) {
      const first = assemble(resolved.definition, coreRegistry);
      const loop = flightLoop(first.flight, { markUs: Float64Array.of(atUs), yieldEvery: 1e6 });
      expect(loop.next().value).toBe("mark");
      const second = assemble(resolved.definition, coreRegistry);
      second.flight.load(first.flight.save());
      flyNow(second.flight);
      expect(second.fingerprint?.result()).toEqual(committed[reference.name]);
    }
  });

  it("[L9.6] in a replay of its recording", () => {
    const assembled = assemble(resolved.definition, coreRegistry, { record: true });
    flyNow(assembled.flight);
    const recording = assembled.recorder!.finish({ digests: assembled.fingerprint!.result() });
    const fingerprint = new Fingerprint(recording.dims, { writers: false });
    const { plant } = assembled;
    const { integrator, commandPolicy } = assembled.flight.parts;
    flyNow(
      new Flight({
        ...replayParts(recording, plant.layout),
        plant,
        integrator,
        observers: [fingerprint],
        commandPolicy: commandPolicy!,
      }),
    );
    expect(fingerprint.result().plant).toBe(plantDigest);
  });
});

describe("the digest changes", () => {
  it("with a different seed", () => {
    const other = mustResolve(
      resolveFlight({ file: "other", spec: { extends: "mission", seed: 2, timeline: { endS: 4 } } }, coreRegistry),
    );
    const assembled = assemble(other.definition, coreRegistry);
    flyNow(assembled.flight);
    expect(assembled.fingerprint?.result().plant).not.toBe(committed["mission-start-rk4"]?.plant);
  });
});
