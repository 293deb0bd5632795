/** Findings of `doctor`: an old or new Node, a browser in the path or none, packages that are installed or not. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arithmeticFinding, browserFinding, makeFindings, nodeFinding, packageFinding, PACKAGES } from "./doctor.ts";

describe("doctor", () => {
  it.each([
    ["20.19.0", true],
    ["20.18.3", false],
    ["18.20.0", false],
    ["24.1.0", true],
  ])("Node %s: %s", (version, isThere) => {
    expect(nodeFinding(version)).toMatchObject({ isThere, what: expect.stringContaining(version) as string });
  });

  it("finds a browser by name or by its environment variable, or says what to do", () => {
    const only = (path: string) => (candidate: string) => candidate === path;
    expect(browserFinding({ PATH: "/a:/b" }, only("/b/chromium"))).toEqual({
      name: "Browser",
      isThere: true,
      what: "/b/chromium",
    });
    expect(browserFinding({ PATH: "/a", CHROME_PATH: "/c/chrome" }, only("/c/chrome")).what).toBe("/c/chrome");
    expect(browserFinding({ PATH: "/a" }, () => false)).toMatchObject({
      isThere: false,
      what: expect.stringContaining("optional") as string,
    });
  });

  it("says whether the processor computes with IEEE 754 doubles", () => {
    expect(arithmeticFinding()).toMatchObject({ isThere: true });
    expect(arithmeticFinding(["rounded twice"])).toMatchObject({
      isThere: false,
      what: "rounded twice: flights cannot be flown on this machine",
    });
  });

  it("lists every optional package, with the installed version or the command that installs it", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      peerDependencies: object;
    };
    expect(Object.keys(PACKAGES).sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
    expect(packageFinding("vitest")).toMatchObject({
      isThere: true,
      what: expect.stringMatching(/^\d+\.\d+\.\d+: for /) as string,
    });
    expect(packageFinding("koffi", () => undefined)).toEqual({
      name: "npm: koffi",
      isThere: false,
      what: "npm install koffi: for the PX4 lockstep library",
    });
  });

  it("says which variable to set if PX4 is missing", () => {
    const findings = makeFindings({ PATH: "" });
    expect(findings.map(({ name }) => name)).toEqual([
      "Node",
      "IEEE 754 doubles",
      "Browser",
      ...Object.keys(PACKAGES).map((name) => `npm: ${name}`),
      "PX4 lockstep library",
      "PX4 SITL",
    ]);
    for (const { isThere, what } of findings.slice(-2)) expect([isThere, /PX4_/.test(what)]).toEqual([false, true]);
  });
});
