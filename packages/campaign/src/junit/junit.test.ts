/**
 * JUnit XML: parsed by Python's expat and compared with what Jenkins' xunit schema (junit-10.xsd) and GitLab's parser
 * accept.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  decidedVerdict,
  exampleManifest,
  exampleRows,
  exampleVerdict,
} from "../../../../tests/support/campaign-rows.ts";
import type { CampaignSummary, CriterionSummary, Row } from "@escapement/formats";
import { campaignSummary, SummaryBuilder } from "../results/summary.ts";
import { junitXml } from "./junit.ts";

const CRITERION: CriterionSummary = {
  text: "P(stays up) >= 99 % with 95 % confidence",
  verdict: "not met",
  reason: "not met after 1024 flights",
  unit: "",
  isProbability: true,
  estimate: 0.979,
  low: 0.968,
  high: 0.987,
  limit: 0.99,
};

function summaryOf(
  rows: Iterable<Row>,
  criteria: readonly CriterionSummary[] = [],
  manifest = exampleManifest,
): CampaignSummary {
  const builder = new SummaryBuilder(manifest);
  for (const row of rows) builder.add(row);
  return campaignSummary(manifest, builder.finish(), { criteria });
}

interface XmlNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlNode[];
}

const PARSER = `
import json, sys, xml.etree.ElementTree as tree
def plain(node): return {"tag": node.tag, "attributes": dict(node.attrib), "text": node.text or "", "children": [plain(child) for child in node]}
print(json.dumps(plain(tree.fromstring(sys.stdin.buffer.read()))))`;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

function parse(xml: string): XmlNode {
  const { stdout, stderr } = spawnSync("python3", ["-c", PARSER], { input: xml, encoding: "utf8", maxBuffer: 1e8 });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as XmlNode;
}

/** Attributes and children that the schema allows; attributes with "!" are required. */
const SCHEMA: Readonly<Record<string, { readonly attributes: string[]; readonly children: string[] }>> = {
  testsuites: { attributes: ["name", "time", "tests", "failures", "errors"], children: ["testsuite"] },
  testsuite: {
    attributes: [
      "name!",
      "tests!",
      "failures!",
      "errors!",
      "time",
      "skipped",
      "timestamp",
      "hostname",
      "id",
      "package",
    ],
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  properties: { attributes: [], children: ["property"] },
  property: { attributes: ["name!", "value!"], children: [] },
  testcase: {
    attributes: ["name!", "time", "classname", "group"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  failure: { attributes: ["type", "message"], children: [] },
  error: { attributes: ["type", "message"], children: [] },
  skipped: { attributes: ["type", "message"], children: [] },
  "system-out": { attributes: [], children: [] },
};
/** The schema's pattern of times of suites. */
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$/;

function expectSchema(node: XmlNode): void {
  const { attributes, children } = SCHEMA[node.tag]!;
  const required = attributes.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1));
  const allowed = attributes.map((name) => name.replace("!", ""));
  expect(allowed).toEqual(expect.arrayContaining(Object.keys(node.attributes)));
  expect(Object.keys(node.attributes)).toEqual(expect.arrayContaining(required));
  if (node.tag.startsWith("testsuite")) expect(node.attributes["time"]).toMatch(TIME);
  for (const child of node.children) {
    expect(children).toContain(child.tag);
    expectSchema(child);
  }
}

/**
 * GitLab's rules: a suite is named by `classname`, a second case with the same name is ignored, files stay below 30 MB.
 */
function expectGitlab(xml: string, root: XmlNode): void {
  expect(Buffer.byteLength(xml)).toBeLessThan(1e6);
  const cases = root.children[0]!.children.filter(({ tag }) => tag === "testcase");
  const names = cases.map(({ attributes }) => `${attributes["classname"]}\n${attributes["name"]}`);
  expect(new Set(names).size).toBe(names.length);
  const counted = (tag: string) => cases.filter(({ children }) => children.some((child) => child.tag === tag)).length;
  for (const [attribute, tag] of [
    ["failures", "failure"],
    ["errors", "error"],
    ["skipped", "skipped"],
  ] as const)
    expect(root.children[0]!.attributes[attribute]).toBe(String(counted(tag)));
  expect(root.children[0]!.attributes["tests"]).toBe(String(cases.length));
}

const casesOf = (root: XmlNode) =>
  new Map(
    root.children[0]!.children.filter(({ tag }) => tag === "testcase").map(({ attributes, children }) => [
      attributes["name"]!,
      children,
    ]),
  );

describe.skipIf(!hasPython)("JUnit XML", () => {
  it("has a case per criterion, requirement, worst flight and failed flight, and is valid for Jenkins and GitLab", () => {
    const summary = summaryOf(exampleRows(4100), [CRITERION]);
    const xml = junitXml(summary, { attachment: "gusts/report.html" });
    const root = parse(xml);
    expectSchema(root);
    expectGitlab(xml, root);
    const cases = casesOf(root);
    expect(cases.size).toBe(1 + 3 + 20 + 1);
    expect(cases.get(CRITERION.text)![0]).toMatchObject({
      tag: "failure",
      attributes: { message: "97.9 % (96.8 … 98.7), not met after 1024 flights" },
    });
    const [worst] = summary.worst;
    const [failure, output] = cases.get(`#${worst!.k} stays up`)!;
    expect(failure!.attributes["message"]).toMatch(/^violated by \d\.\d\d m at \d+\.\d{3} s$/);
    expect(failure!.text).toContain("requirement: for 5 s after engineOut: altitude > 2 m");
    expect(failure!.text).toContain(`wind.w20Mps = ${worst!.varied[0]} m/s`);
    expect(failure!.text).toContain(`escapement fly gusts.campaign.toml#${worst!.k}`);
    expect(output!.text).toBe("[[ATTACHMENT|gusts/report.html]]");
    expect(cases.get("#4000 poisoned")![0]!.tag).toBe("error");
  });

  it("names the recording of a flight that cannot be flown again, instead of a command", () => {
    const summary = summaryOf(exampleRows(500), [CRITERION], { ...exampleManifest, isRepeatable: false });
    const [worst] = summary.worst;
    const [failure] = casesOf(parse(junitXml(summary))).get(`#${worst!.k} stays up`)!;
    expect(failure!.text).toContain(`not repeatable; recorded in flights/${worst!.k}.mcap where it was flown`);
    expect(junitXml(summary)).not.toContain("escapement fly");
  });

  it("has no failure if the campaign's criteria are met, although flights violate requirements", () => {
    const rows = [...exampleRows(500)];
    const met = summaryOf(rows, [{ ...CRITERION, verdict: "met" }]);
    expect(met.requirements[0]!.flights.violated).toBeGreaterThan(0);
    const root = parse(junitXml(met));
    expect(root.attributes).toMatchObject({ failures: "0", errors: "0" });
    const [output] = casesOf(root).get(`#${met.worst[0]!.k} stays up`)!;
    expect(output).toMatchObject({ tag: "system-out", text: expect.stringContaining("violated by") });
    expect(parse(junitXml(summaryOf(rows))).attributes["failures"]).not.toBe("0");
  });

  it("skips a requirement that no flight exercised and that need not occur", () => {
    const untested = exampleVerdict("untested");
    const rows = [...exampleRows(40)]
      .filter(({ verdicts }) => verdicts[0]?.verdict === "holds")
      .map((row) => ({ ...row, verdicts: [...row.verdicts.slice(0, 2), untested] }));
    const [skipped] = casesOf(parse(junitXml(summaryOf(rows)))).get("lands softly")!;
    expect(skipped).toMatchObject({ tag: "skipped", attributes: { message: "untested in every flight" } });
  });

  it("survives any text in names and values", () => {
    const odd = `<&"'>]]>\u0000\u0007\ud800 ${"long ".repeat(20_000)}\t\r\nend`;
    const names = [odd, "#1 a", "a", "a (2)"];
    const requirement = exampleManifest.requirements[0]!;
    const manifest = {
      ...exampleManifest,
      name: odd,
      requirements: names.map((name) => ({ ...requirement, name, text: odd })),
    };
    const rows = [...exampleRows(30)].map((row) => ({
      ...row,
      verdicts: names.map((_, i) => decidedVerdict(-1 - i)),
    }));
    const xml = junitXml(summaryOf(rows, [{ ...CRITERION, text: "a" }], manifest));
    const root = parse(xml);
    expectSchema(root);
    expectGitlab(xml, root);
    expect(root.attributes["name"]).toContain("<&\"'>]]>\ufffd\ufffd\ufffd ");
  });

  it("has the same bytes for the same rows", () => {
    const xml = () => junitXml(summaryOf(exampleRows(300), [CRITERION]));
    expect(xml()).toBe(xml());
  });
});
