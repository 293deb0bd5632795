/**
 * Flights really run compiled code, with equal digests, in every environment: from source, under coverage, in the
 * bundled command and in a browser. If code generation is forbidden, they run code from the build or the reference, and
 * report it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { buildCommand, type BuiltCommand } from "../support/command.ts";
import { bundle, insertCallCounters } from "./support/bundles.ts";
import { flyThem, IRIS_END_S, type CodeReport } from "./support/flown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
mkdirSync(join(root, ".cache"), { recursive: true });
// The folder is inside the repository, so that imports of libraries resolve.
const folder = mkdtempSync(join(root, ".cache/compile-"));
const NOT_ALLOWED = "reference: code generation is not allowed here";
const NO_STRINGS = "--disallow-code-generation-from-strings";

const byReference = flyThem(false);
const fingerprints = Object.fromEntries(
  Object.entries(byReference).map(([name, { fingerprint }]) => [name, fingerprint]),
);

/** Returns the expected result: every flight with its fingerprint and the same code report. */
function allReport(code: string): Record<string, CodeReport> {
  return Object.fromEntries(Object.entries(fingerprints).map(([name, fingerprint]) => [name, { code, fingerprint }]));
}

let made = "";
let ready = "";
beforeAll(async () => {
  [made, ready] = [await bundle(false), await bundle(true)];
});
afterAll(() => rmSync(folder, { recursive: true }));

function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): unknown {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_V8_COVERAGE: undefined, ...env },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function nodeScript(code: string, args: readonly string[] = []): unknown {
  const file = join(folder, "flown.cjs");
  writeFileSync(file, `${code}\nprocess.stdout.write(JSON.stringify(flown.flyThem()));`);
  return node([...args, file]);
}

describe("run from source, compiled code", () => {
  it("runs under the test runner", () => {
    expect(flyThem()).toEqual(allReport("compiled"));
  });

  it("can be switched off, which the result reports", () => {
    expect(byReference).toEqual(allReport("reference: code generation is switched off"));
  });

  it("runs while V8 collects coverage, as the test runner requests", async () => {
    const session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    try {
      expect(flyThem()).toEqual(allReport("compiled"));
      const { result } = await session.post("Profiler.takePreciseCoverage");
      expect(result.some(({ url }) => url.includes("run/code.ts"))).toBe(true);
    } finally {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    }
  });

  it("runs in a separate process that writes coverage to a folder", () => {
    const file = join(folder, "covered.ts");
    const flown = new URL("./support/flown.ts", import.meta.url).href;
    writeFileSync(file, `import { flyThem } from "${flown}";\nprocess.stdout.write(JSON.stringify(flyThem()));\n`);
    const coverage = join(folder, "coverage");
    const reports = node(["--import", "tsx", "--conditions=source", file], { NODE_V8_COVERAGE: coverage });
    expect(reports).toEqual(allReport("compiled"));
    const written = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), "utf8"));
    expect(written.some((text) => text.includes("compile/graph.ts"))).toBe(true);
  });

  it("runs with counters inserted into every function, as other coverage tools do", () => {
    const script = insertCallCounters(made);
    expect(script.match(/COUNTS/g)!.length).toBeGreaterThan(1000);
    expect(nodeScript(script)).toEqual(allReport("compiled"));
  });
});

describe("bundled for Node, compiled code", () => {
  it("is generated at run time if the bundle has none", () => {
    expect(nodeScript(made)).toEqual(allReport("compiled"));
  });

  it("comes from the bundle if it was compiled at build time", () => {
    expect(nodeScript(ready)).toEqual(allReport("compiled at build time"));
  });

  it("comes only from the bundle if code generation is forbidden", () => {
    expect(nodeScript(made, [NO_STRINGS])).toEqual(allReport(NOT_ALLOWED));
    expect(nodeScript(ready, [NO_STRINGS])).toEqual(allReport("compiled at build time"));
  });
});

describe("the bundled command", () => {
  let built: BuiltCommand;
  beforeAll(async () => {
    built = await buildCommand();
  });

  const json = (more: readonly string[], flags: readonly string[] = []) => {
    const { stdout } = spawnSync(
      process.execPath,
      [...flags, built.main, "fly", "mission", "--until", `${IRIS_END_S}`, "--json", ...more],
      { cwd: folder, encoding: "utf8" },
    );
    return JSON.parse(stdout) as Record<string, string>;
  };

  it("runs code compiled at build time, whether or not code generation is allowed", () => {
    for (const flags of [[], [NO_STRINGS]]) {
      expect(json([], flags)).toMatchObject({ code: "compiled at build time", fingerprint: fingerprints["iris"] });
      expect(json(["--set", "vehicle=hexa"], flags)["code"]).toBe("compiled at build time");
    }
  });

  it("generates code for other vehicles, and falls back to the reference if code generation is forbidden", () => {
    const own = ["--set", "vehicle.motorActuator.kind=secondOrder"];
    const [free, forbidden] = [json(own), json(own, [NO_STRINGS])];
    expect([free["code"], forbidden["code"]]).toEqual(["compiled", NOT_ALLOWED]);
    expect(forbidden["fingerprint"]).toBe(free["fingerprint"]);
  });

  it("reports --no-codegen in JSON and in the summary", () => {
    expect(json(["--no-codegen"])).toMatchObject({
      code: "reference: code generation is switched off",
      fingerprint: fingerprints["iris"],
    });
    const { stdout } = spawnSync(process.execPath, [built.main, "fly", "drop", "--until", "0.1", "--no-codegen"], {
      encoding: "utf8",
    });
    expect(stdout.replace(/\s+/g, " ")).toContain("reference: code generation is switched off");
  });
});

describe("in a browser", () => {
  const POLICY = "default-src 'none'; script-src 'self'";
  let server: Server;
  let address = "";

  beforeAll(async () => {
    server = createServer(({ url = "" }, response) => {
      const [path, query] = url.split("?") as [string, string?];
      const script = path.startsWith("/ready") ? ready : made;
      const isScript = path.endsWith(".js");
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      if (query === "policy") response.setHeader("content-security-policy", POLICY);
      const name = path.startsWith("/ready") ? "ready" : "made";
      // Fly in a script of the page, because the page's policy does not apply to code that a test evaluates.
      const page = `<!doctype html><title>flown</title><pre></pre><script src="/${name}.js"></script>`;
      const fly = "document.querySelector('pre').textContent = JSON.stringify(flown.flyThem());";
      response.end(isScript ? `${script}\n${fly}` : page);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("generates code, runs code from the build if a policy forbids generation, and otherwise falls back to the reference", async ({
    skip,
  }) => {
    const browser = await launchChromium();
    if ("missing" in browser) return skip(browser.missing);
    try {
      const page = await browser.newPage();
      const reportsOf = async (path: string): Promise<unknown> => {
        await page.goto(`${address}${path}`);
        return JSON.parse((await page.textContent("pre")) ?? "") as unknown;
      };
      expect(await reportsOf("/made")).toEqual(allReport("compiled"));
      expect(await reportsOf("/made?policy")).toEqual(allReport(NOT_ALLOWED));
      expect(await reportsOf("/ready")).toEqual(allReport("compiled at build time"));
      expect(await reportsOf("/ready?policy")).toEqual(allReport("compiled at build time"));
    } finally {
      await browser.close();
    }
  });
});
