/** The docs keep up with the code: rules and tests name each other, tables follow from tables, links lead somewhere. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RecordedFlight } from "@escapement/core";
import { errorDocs, generatedDocs } from "../tools/docs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const testFiles = tracked.filter((path) => path.endsWith(".test.ts"));

/** Ids in square brackets in the names of tests, with the files that cite them. */
function cited(pattern: RegExp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of testFiles) {
    for (const [, id] of read(path).matchAll(pattern)) found.set(id!, [...(found.get(id!) ?? []), path]);
  }
  return found;
}

describe("the contract", () => {
  const contract = read("docs/contract.md");
  const laws = [...contract.matchAll(/^## (L\d+) /gm)].map(([, id]) => id!);
  const rules = [...contract.matchAll(/^- \*\*(L\d+\.\d+)\*\* /gm)].map(([, id]) => id!);
  const citations = cited(/\[(L\d+(?:\.\d+)?)\]/g);

  it("has ten laws, each in rules that are numbered without gaps", () => {
    expect(laws).toEqual(Array.from({ length: 10 }, (_, i) => `L${i + 1}`));
    for (const law of laws) {
      const own = rules.filter((rule) => rule.startsWith(`${law}.`));
      expect(own.length).toBeGreaterThan(0);
      expect(own).toEqual(own.map((_, i) => `${law}.${i + 1}`));
    }
  });

  it.each(rules)("%s is upheld by a test that names it", (rule) => {
    expect(citations.get(rule) ?? []).not.toEqual([]);
  });

  it("every rule that a test names exists", () => {
    const unknown = [...citations].filter(([id]) => !rules.includes(id) && !laws.includes(id));
    expect(unknown).toEqual([]);
  });
});

describe("the defects of the original", () => {
  const listed = [...read("docs/defects.md").matchAll(/^- \*\*(D\d+)\*\* /gm)].map(([, id]) => id!);
  const citing = tracked.filter((path) => path.endsWith(".ts"));
  const found = new Set(citing.flatMap((path) => [...read(path).matchAll(/\[(D\d+)\]/g)].map(([, id]) => id!)));

  it("are listed once each", () => {
    expect(listed.length).toBeGreaterThan(20);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("are those that tests cite: none is missing, and none is listed without a test", () => {
    expect([...found].sort()).toEqual([...listed].sort());
  });
});

describe("the README", () => {
  it("shows TypeScript that runs as it stands and gives what it says", async () => {
    const [, snippet] = /```ts\n([\s\S]*?)```/.exec(read("README.md"))!;
    // Below the repository, so that the package is found.
    mkdirSync(join(root, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(root, ".cache/readme-"));
    try {
      const file = join(folder, "snippet.ts");
      writeFileSync(file, `${snippet}\nexport { flight };\n`);
      const { flight } = (await import(file)) as { flight: RecordedFlight };
      expect(snippet).toContain(`flight.outcome; // "${flight.outcome}"`);
      expect(flight.fingerprint).toMatch(/^fp1:/);
      expect(flight.signal("posNed").at("30 s")).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("defects", () => {
  it.each(["D2", "D3", "D4", "D13", "D14", "D18", "D21", "D22", "D25"])("[%s] has a test named after it", (id) => {
    expect(cited(/\[(D\d+)\]/g).get(id) ?? []).not.toEqual([]);
  });
});

describe("conventions", () => {
  it("every check of the page has a test that names it, and the other way round", () => {
    const listed = [...read("docs/conventions.md").matchAll(/^\| (C\d+) \|/gm)].map(([, id]) => id!);
    expect([...cited(/\[(C\d+)\]/g).keys()].sort()).toEqual([...listed].sort());
    expect(listed.length).toBeGreaterThan(8);
  });
});

describe("the loop", () => {
  it("[L1.1] time advances in one place: one caller of the schedule, one of the integrator", () => {
    const callers = (pattern: RegExp) =>
      tracked.filter(
        (path) => /^packages\/core\/src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts") && pattern.test(read(path)),
      );
    expect(callers(/schedule\.advance\(/)).toEqual(["packages/core/src/engine/loop.ts"]);
    expect(callers(/integrator\.advance\(/)).toEqual(["packages/core/src/engine/interval.ts"]);
    expect(callers(/interval\.run\(/)).toEqual(["packages/core/src/engine/loop.ts"]);
  });
});

describe("generated parts", () => {
  it("are what the code says; otherwise run `npm run docs`", async () => {
    for (const [file, text] of await generatedDocs(root)) expect(read(file), file).toBe(text);
  });

  it("error codes are unique, and every area that the sources declare is there", async () => {
    const docs = await errorDocs(root);
    const codes = docs.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const declared = tracked
      .filter((path) => /^packages\/.*\/src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"))
      .flatMap((path) =>
        [...read(path).matchAll(/^export const \w+ = defineErrors\(\s*"([A-Z0-9]+)"/gm)].map(([, area]) => area!),
      );
    expect([...new Set(codes.map((code) => code.split("-")[0]!))].sort()).toEqual([...new Set(declared)].sort());
    for (const { title, explain } of docs) {
      expect(title).toMatch(/^\S.*[^.]$/);
      expect(explain).toMatch(/^\S.*\.$/s);
    }
  });
});

describe("links", () => {
  const documents = tracked.filter((path) => path.endsWith(".md"));

  it.each(documents)("of %s lead somewhere", (path) => {
    const targets = [...read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    const broken = targets.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)),
    );
    expect(broken).toEqual([]);
  });
});
