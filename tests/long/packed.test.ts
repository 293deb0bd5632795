/**
 * Tests the package as a user gets it: packed, unpacked into a project that has only the package's dependencies,
 * checked by publint, type-checked, run, and bundled by Vite for a page.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build, preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../determinism/runtimes/chromium.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "escapement-packed-"));
const home = join(project, "node_modules/escapement");
const [, snippet] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))!;
let manifest: Manifest;

const inPackage = (path: string) => readFileSync(join(home, path), "utf8");

/** Makes a package of the repository available to the project. */
function link(name: string): void {
  mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
  symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
}

beforeAll(() => {
  execFileSync("npm", ["pack", "-w", "packages/cli", "--pack-destination", project], { cwd: root, stdio: "pipe" });
  const packed = readdirSync(project).find((name) => name.endsWith(".tgz"))!;
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", join(project, packed), "-C", home, "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  manifest = JSON.parse(inPackage("package.json")) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) link(name);
});
afterAll(() => rmSync(project, { recursive: true }));

/** Returns the compiler's output for a file in the project; it also checks every declaration of the package. */
function typecheck(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", ""];
  return spawnSync(process.execPath, [tsc, ...flags, name], { cwd: project, encoding: "utf8" }).stdout;
}

function run(...args: string[]) {
  const main = join(home, "bin/escapement.js");
  return spawnSync(process.execPath, [main, ...args], { cwd: project, encoding: "utf8" });
}

describe("the packed package", () => {
  it("contains the bundle with source maps, types, README, licence and notices, and no sources or tests", () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(home.length + 1)
          .replaceAll("\\", "/"),
      );
    expect(files.filter((file) => !file.startsWith("dist/")).sort()).toEqual([
      "LICENSE",
      "README.md",
      "THIRD-PARTY-NOTICES.md",
      "bin/escapement.js",
      "package.json",
    ]);
    expect(
      files.filter(
        (file) =>
          file.startsWith("dist/") &&
          !/\.(js|js\.map|css|d\.ts|md)$|^dist\/view\/(index\.html|(engine|page)-notices\.txt)$/.test(file),
      ),
    ).toEqual([]);
    expect(files).toContain("dist/chunk-core.js.map");
    for (const file of files.filter((each) => each.endsWith(".map"))) {
      const { sources } = JSON.parse(inPackage(file)) as { readonly sources: readonly string[] };
      expect(sources.filter((source) => source.startsWith("/") || /^[A-Z]:/.test(source))).toEqual([]);
    }
  });

  it("has a README whose links resolve outside the repository", () => {
    const targets = [...inPackage("README.md").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
  });

  it("contains the licence of every bundled package, and report pages contain theirs", () => {
    const notices = inPackage("THIRD-PARTY-NOTICES.md");
    const bundled = new Set<string>();
    for (const file of readdirSync(join(home, "dist")).filter((name) => name.endsWith(".map"))) {
      const { sources } = JSON.parse(inPackage(`dist/${file}`)) as { readonly sources: readonly string[] };
      for (const source of sources) {
        const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
        if (name !== undefined) bundled.add(name);
      }
    }
    expect(bundled.size).toBeGreaterThan(4);
    for (const name of bundled)
      expect(notices).toMatch(new RegExp(`^## ${name} \\d.*\\n\\n[^#]*(copyright notice|Copyright)`, "m"));
    expect(inPackage("dist/report-page.js")).toMatch(/^\/\*! uplot [\s\S]*Copyright[\s\S]*\*\//);
    expect(run("fly", "drop", "--record", "page.mcap").status).toBe(0);
    expect(run("report", "page.mcap").status).toBe(0);
    expect(readFileSync(join(project, "page.html"), "utf8")).toMatch(/\/\*! uplot [\s\S]*Permission is hereby granted/);
  });

  it("installs no native code and runs no install script", () => {
    expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
    expect(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
    expect(manifest["optionalDependencies"]).toBeUndefined();
    for (const name of Object.keys(manifest.dependencies)) {
      const { scripts = {}, dependencies = {} } = JSON.parse(
        readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
      ) as { readonly scripts?: object; readonly dependencies?: object };
      expect(
        Object.keys(scripts).filter((script) => /^(pre|post)?install$/.test(script)),
        name,
      ).toEqual([]);
      expect(Object.keys(dependencies), name).toEqual([]);
    }
  });

  it("passes publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: home, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });
});

describe("the package's types", () => {
  it("accept the README's code and reject a wrong use", () => {
    expect(typecheck("right.ts", `${snippet}\nconsole.log(JSON.stringify(flight.outcome));\n`)).toBe("");
    expect(typecheck("wrong.ts", `${snippet}\nexport const outcome: number = flight.outcome;\n`)).toContain("TS2322");
  });

  it.each([
    'fly({ wind: { kind: "drydn" } });',
    'fly({ wind: { kind: "dryden", w20Mp: 8 } });',
    'fly({ extends: "mision" });',
    "fly({ vehicle: { masKg: 2 } });",
    'fly({ autopilot: { kind: "px4-sitl", instanse: 1 } });',
    'fly({ scenario: [{ at: "1 s", motorOff: { moter: 1 } }] });',
    '(await fly({})).signal("posned");',
  ])("reject %s", (line) => {
    expect(typecheck("misspelled.ts", `import { fly } from "escapement";\n${line}\n`)).toMatch(/error TS/);
  });

  it("exist for every path of the package", () => {
    const paths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
    const lines = paths.map((path, i) => `export * as api${i} from "escapement${path.slice(1)}";`);
    expect(paths.length).toBeGreaterThan(5);
    expect(typecheck("entry-points.ts", `${lines.join("\n")}\n`)).toBe("");
  });
});

describe("the installed package", () => {
  it("flies through the library", () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["right.js"], { cwd: project, encoding: "utf8" });
    expect([stderr, stdout.trim()]).toEqual(["", '"crashed"']);
  });

  it("loads at every path without the optional packages, except the one that extends Vitest", () => {
    const paths = Object.keys(manifest.exports).filter((path) => !["./package.json", "./vitest"].includes(path));
    const imports = paths.map((path) => `import "escapement${path.slice(1)}";`);
    writeFileSync(join(project, "loaded.js"), `${imports.join("\n")}\n`);
    const { stdout, stderr } = spawnSync(process.execPath, ["loaded.js"], { cwd: project, encoding: "utf8" });
    expect([stderr, stdout]).toEqual(["", ""]);
  });

  it("names a missing optional package on the command line", () => {
    const { status, stderr } = run("fly", "drop", "--log", "a.h5");
    expect(status).toBe(1);
    expect(stderr).toContain("npm install h5wasm");
    expect(existsSync(join(project, "a.h5"))).toBe(false);
  });

  it("writes and reads every kind of file on the command line", () => {
    link("h5wasm");
    const logs = ["a.csv", "a.ulg", "a.h5", "a.parquet", "a.log.mcap"];
    expect(run("fly", "drop", "--record", "a.mcap", "--log", ...logs, "--picture", "a.svg").stderr).toBe("");
    expect(run("replay", "a.mcap").stdout).toContain("the same bits");
    expect(run("report", "a.mcap").stdout).toContain("wrote a.html");
    for (const from of ["a.mcap", "a.csv", "a.h5", "a.parquet", "a.log.mcap"]) {
      expect(run("convert", from, "made.csv", "--overwrite").stderr).toBe("");
    }
  });
});

describe("in a page bundled by Vite", () => {
  it("hover has the same fingerprint as in Node", async ({ skip }) => {
    const browser = await launchChromium();
    if ("missing" in browser) return skip(browser.missing);
    const app = join(project, "app");
    mkdirSync(app);
    writeFileSync(join(app, "index.html"), '<script type="module" src="./main.js"></script>');
    writeFileSync(
      join(app, "main.js"),
      'import { flyFlight } from "escapement/core";\ndocument.title = (await flyFlight({ extends: "hover" })).fingerprint;\n',
    );
    await build({ root: app, configFile: false, logLevel: "error" });
    const served = await preview({
      root: app,
      configFile: false,
      logLevel: "error",
      preview: { host: "127.0.0.1", port: 0 },
    });
    try {
      const page = await browser.newPage();
      await page.goto(served.resolvedUrls!.local[0]!);
      await page.waitForFunction("document.title.startsWith('fp1:')", undefined, { timeout: 120_000 });
      const { fingerprint } = JSON.parse(run("fly", "hover", "--json").stdout) as { readonly fingerprint: string };
      expect(await page.title()).toBe(fingerprint);
    } finally {
      await browser.close();
      await served.close();
    }
  });
});
