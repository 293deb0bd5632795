/** The docs match the code: every rule has a test that cites it, generated tables are current, and links resolve. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RecordedFlight } from "@escapement/core";
import { FUNCTION_NAMES } from "../packages/core/src/requirements/tree.ts";
import { PLAN_TABLES } from "../packages/campaign/src/spec/tables.ts";
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

/** Finds ids in square brackets in test names, with the files that cite them. */
function findCitations(pattern: RegExp): Map<string, string[]> {
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
  const citations = findCitations(/\[(L\d+(?:\.\d+)?)\]/g);

  it("has twelve laws with consecutively numbered rules", () => {
    expect(laws).toEqual(Array.from({ length: 12 }, (_, i) => `L${i + 1}`));
    for (const law of laws) {
      const rulesOfLaw = rules.filter((rule) => rule.startsWith(`${law}.`));
      expect(rulesOfLaw.length).toBeGreaterThan(0);
      expect(rulesOfLaw).toEqual(rulesOfLaw.map((_, i) => `${law}.${i + 1}`));
    }
  });

  it.each(rules)("%s is cited by a test", (rule) => {
    expect(citations.get(rule) ?? []).not.toEqual([]);
  });

  it("contains every rule that a test cites", () => {
    const unknown = [...citations].filter(([id]) => !rules.includes(id) && !laws.includes(id));
    expect(unknown).toEqual([]);
  });
});

describe("the defects of PX4Lockstep.jl", () => {
  const listed = [...read("docs/defects.md").matchAll(/^- \*\*(D\d+)\*\* /gm)].map(([, id]) => id!);
  const citing = tracked.filter((path) => path.endsWith(".ts"));
  const found = new Set(citing.flatMap((path) => [...read(path).matchAll(/\[(D\d+)\]/g)].map(([, id]) => id!)));

  it("are each listed once", () => {
    expect(listed.length).toBeGreaterThan(20);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("are exactly those that tests cite", () => {
    expect([...found].sort()).toEqual([...listed].sort());
  });
});

describe("the README", () => {
  it("shows TypeScript that runs unchanged and has the results that its comments state", async () => {
    const [, snippet] = /```ts\n([\s\S]*?)```/.exec(read("README.md"))!;
    // Use a folder inside the repository, so that Node finds the package.
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

describe("the glossary", () => {
  it("has at most 35 words, in alphabetical order", () => {
    const words = [...read("docs/glossary.md").matchAll(/^\| \*?([a-z][a-z ()]*?)\*? \|/gm)]
      .map(([, word]) => word!)
      .slice(1);
    expect(words).toEqual([...words].sort());
    expect(words.length).toBeGreaterThan(20);
    expect(words.length).toBeLessThanOrEqual(35);
  });
});

describe("conventions", () => {
  it("every check of the page is cited by a test, and every cited check is on the page", () => {
    const listed = [...read("docs/conventions.md").matchAll(/^\| (C\d+) \|/gm)].map(([, id]) => id!);
    expect([...findCitations(/\[(C\d+)\]/g).keys()].sort()).toEqual([...listed].sort());
    expect(listed.length).toBeGreaterThan(8);
  });
});

describe("the loop", () => {
  it("[L1.1] time advances in one place: the schedule and the integrator have one caller each", () => {
    const callers = (pattern: RegExp) =>
      tracked.filter(
        (path) => /^packages\/core\/src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts") && pattern.test(read(path)),
      );
    expect(callers(/schedule\.advance\(/)).toEqual(["packages/core/src/engine/loop.ts"]);
    expect(callers(/integrator\.advance\(/)).toEqual(["packages/core/src/engine/interval.ts"]);
    expect(callers(/interval\.run\(/)).toEqual(["packages/core/src/engine/loop.ts"]);
  });
});

describe("requirements", () => {
  it("the grammar of docs/requirements.md has every function", () => {
    const [, names] = /^function {4}= (.*) ;$/m.exec(read("docs/requirements.md"))!;
    expect(names).toBe(FUNCTION_NAMES.map((name) => `"${name}"`).join(" | "));
  });
});

describe("campaigns", () => {
  it("every plan has a row in the table of plans of docs/campaigns.md", () => {
    const table = read("docs/campaigns.md").split("\n## Plans\n")[1]!.split("\n\n")[0]!;
    expect([...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, kind]) => kind).sort()).toEqual(
      Object.keys(PLAN_TABLES).sort(),
    );
  });
});

describe("generated parts", () => {
  it("match the code; if not, run `npm run docs`", async () => {
    for (const [file, text] of await generatedDocs(root)) expect(read(file), file).toBe(text);
  });

  it("list unique error codes from every area that the sources declare", async () => {
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

  it.each(documents)("of %s resolve", (path) => {
    const targets = [...read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    const broken = targets.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)),
    );
    expect(broken).toEqual([]);
  });
});
