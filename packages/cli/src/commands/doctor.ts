/** `escapement doctor`: checks the requirements for flights, and lists the optional software on this machine. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import type { Command } from "commander";
import { arithmeticFaults, IS_LITTLE_ENDIAN } from "@escapement/core";
import { inspectPx4 } from "@escapement/px4";
import { columnsOf, padEnd, type Style, styleFor, wrap } from "../print/style.ts";

interface Finding {
  readonly name: string;
  readonly isThere: boolean;
  /** The version or location of the software and its use, or what to do if it is missing. */
  readonly what: string;
}

/** Names of the findings without which no flight can be flown. */
const REQUIRED: readonly string[] = ["Node", "IEEE 754 doubles"];
const MIN_NODE = [20, 19] as const;
const BROWSERS = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "firefox",
];
const MAC_BROWSERS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** The optional npm packages and their uses. They are optional peer dependencies in package.json. */
export const PACKAGES: Readonly<Record<string, string>> = {
  h5wasm: "logs in HDF5 (.h5)",
  koffi: "the PX4 lockstep library",
  bullmq: "campaigns on several machines, together with ioredis",
  ioredis: "campaigns on several machines, together with bullmq",
  aws4fetch: "campaign results in S3 (--store s3://…)",
  vitest: "flights as tests with escapement/vitest",
};

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("show which optional software is installed and what is missing")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement doctor\n  PX4_LOCKSTEP_LIB=libpx4_lockstep.so escapement doctor")
    .action((flags: { json?: true }) => {
      const findings = makeFindings(process.env);
      const style = styleFor(process.stdout, process.env);
      const columns = columnsOf(process.stdout);
      const text =
        flags.json === true
          ? JSON.stringify(findings, null, 2)
          : [...findings.map((finding) => line(finding, style, columns)), "", conclusion(findings, style)].join("\n");
      process.stdout.write(`${text}\n`);
    });
}

export function makeFindings(env: NodeJS.ProcessEnv): Finding[] {
  return [
    nodeFinding(process.versions.node),
    arithmeticFinding(),
    browserFinding(env),
    ...Object.keys(PACKAGES).map((name) => packageFinding(name)),
    ...inspectPx4(env),
  ];
}

/** Looks for a package in the folders in which Node.js would look for it, without loading it. */
export function packageFinding(
  name: string,
  versionOf: (name: string) => string | undefined = installedVersion,
): Finding {
  const version = versionOf(name);
  const use = PACKAGES[name]!;
  return {
    name: `npm: ${name}`,
    isThere: version !== undefined,
    what: version === undefined ? `npm install ${name}: for ${use}` : `${version}: for ${use}`,
  };
}

function installedVersion(name: string): string | undefined {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as { version: string };
      return version;
    } catch {
      // It is not in this folder.
    }
  }
  return undefined;
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return {
    name: "Node",
    isThere: isNew,
    what: isNew ? version : `${version}; install ${MIN_NODE.join(".")} or newer`,
  };
}

/** Checks the arithmetic of the processor and the JavaScript engine, because the bits of a flight depend on it. */
export function arithmeticFinding(faults: readonly string[] = arithmeticFaults()): Finding {
  const order = IS_LITTLE_ENDIAN ? "little-endian" : "big-endian";
  return {
    name: "IEEE 754 doubles",
    isThere: faults.length === 0,
    what:
      faults.length === 0
        ? `${process.arch}, ${order}`
        : `${faults.join("; ")}: flights cannot be flown on this machine`,
  };
}

/** Looks for a browser, which is needed to view flights and reports, but not to fly. */
export function browserFinding(env: NodeJS.ProcessEnv, isRunnable: (path: string) => boolean = canRun): Finding {
  const named = [env["CHROME_PATH"], env["BROWSER"]].filter((path) => path !== undefined && path !== "") as string[];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...named,
    ...BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...MAC_BROWSERS,
  ];
  const found = candidates.find(isRunnable);
  if (found !== undefined) return { name: "Browser", isThere: true, what: found };
  return {
    name: "Browser",
    isThere: false,
    what: "optional: needed to view flights and reports; a report is one file, which any other machine can open",
  };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isRequired({ name }: Finding): boolean {
  return REQUIRED.includes(name);
}

function line(finding: Finding, style: Style, columns: number): string {
  const { name, isThere, what } = finding;
  const indent = " ".repeat(31);
  const state = isThere
    ? style.accent("found    ")
    : isRequired(finding)
      ? style.trouble("missing  ")
      : style.quiet("optional ");
  const text = isThere || isRequired(finding) ? what : `not found; ${what.replace(/^optional: /, "")}`;
  return `${state}${padEnd(name, 22)}${wrap(text, columns, indent)}`;
}

function conclusion(findings: readonly Finding[], style: Style): string {
  const missing = findings.filter((finding) => isRequired(finding) && !finding.isThere);
  if (missing.length === 0) return `${style.accent("ready to fly")}  try: escapement fly`;
  return `${style.trouble("not ready to fly")}  required: ${missing.map(({ name }) => name).join(", ")}`;
}
