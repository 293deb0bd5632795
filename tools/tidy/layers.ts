/**
 * Checks import directions between packages and inside the core.
 *
 * Between packages: core ← formats ← px4, campaign, viewer ← cli. Inside the core a folder may import itself and
 * folders of lower rank. Folders of equal rank never import each other; they use the contracts in `engine/`.
 */
import { posix } from "node:path";
import type { Finding, Source } from "./source.ts";

/** Packages that each package may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  formats: ["core"],
  px4: ["core", "formats"],
  campaign: ["core", "formats"],
  viewer: ["core", "formats"],
  cli: ["core", "formats", "px4", "campaign", "viewer"],
};

/** Rank of each folder of the core. */
const RANKS: Readonly<Record<string, number>> = {
  errors: 0,
  math: 1,
  time: 1,
  snapshot: 1,
  params: 2,
  random: 2,
  state: 3,
  signals: 3,
  world: 3,
  integrate: 4,
  engine: 5,
  compile: 5,
  quantities: 6,
  multirotor: 7,
  sources: 7,
  autopilot: 7,
  record: 7,
  requirements: 7,
  describe: 8,
  run: 9,
  verify: 9,
  analysis: 9,
  bisect: 10,
  kernels: 10,
};

/** Packages that must also run outside Node. */
const WITHOUT_NODE = ["core", "viewer"];

export function* checkLayers(source: Source): Generator<Finding> {
  const [, own] = /^packages\/([^/]+)\/src\//.exec(source.path) ?? [];
  if (own === undefined || isTest(source.path)) return;
  for (const { specifier, start } of source.imports) {
    const violation = specifier.startsWith(".")
      ? relativeViolation(source.path, own, specifier)
      : bareViolation(own, specifier);
    if (violation !== undefined) yield* source.finding("layers", start, violation);
  }
}

export function isTest(path: string): boolean {
  return /\.test(-d)?\.tsx?$/.test(path) || /\/testing\//.test(path);
}

function bareViolation(own: string, specifier: string): string | undefined {
  const [, other] = /^@escapement\/([^/]+)/.exec(specifier) ?? [];
  if (other !== undefined) {
    return PACKAGES[own]?.includes(other) === true ? undefined : `package ${own} must not import ${specifier}`;
  }
  if (own === "core") return `the core must not have dependencies, but imports "${specifier}"`;
  if (specifier.startsWith("node:") && WITHOUT_NODE.includes(own))
    return `package ${own} must not import "${specifier}"`;
  return undefined;
}

function relativeViolation(path: string, own: string, specifier: string): string | undefined {
  if (!/\.(ts|tsx|css|json|svg|md|toml|worker\.ts)(\?[a-z&]+)?$/.test(specifier))
    return `"${specifier}" lacks the file name's extension`;
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`packages/${own}/`)) return `"${specifier}" leaves its package: import it by its name`;
  return own === "core" ? coreViolation(path, target) : undefined;
}

function coreViolation(path: string, target: string): string | undefined {
  const from = coreFolder(path);
  const to = coreFolder(target);
  // The package's index may import everything.
  if (from === undefined || from === to) return undefined;
  if (to === undefined) return `${from}/ must not import the package's own index`;
  const [rank, other] = [RANKS[from], RANKS[to]];
  if (rank === undefined || other === undefined)
    return `the folder ${rank === undefined ? from : to}/ of the core has no rank in tools/tidy/layers.ts`;
  return other < rank ? undefined : `${from}/ must not import ${to}/`;
}

function coreFolder(path: string): string | undefined {
  return /^packages\/core\/src\/([^/]+)\//.exec(path)?.[1];
}
