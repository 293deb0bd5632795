/** Makes the input of shrinking from a flight of a campaign: its varied keys, and the ranges of its numbers. */
import {
  keyPathText,
  mustResolve,
  parseDurationText,
  parseKeyPath,
  type PlainObject,
  type Registry,
  resolveFlight,
  specOf,
} from "@escapement/core";
import type { Distribution, VariedValue } from "../contracts.ts";
import type { Campaign } from "../spec/campaign.ts";
import { contextOf } from "../spec/make-plan.ts";
import type { ShrinkSource } from "./shrink-flight.ts";
import type { Path } from "./spec-values.ts";

/** `flight` is the description of flight `name` of the campaign. */
export function shrinkSourceOf(
  campaign: Campaign,
  { name, flight, root }: { readonly name: string; readonly flight: PlainObject; readonly root: string | undefined },
  registry: Registry,
): ShrinkSource {
  const { requirements: _requirements, ...bad } = flight;
  const { scenario = [] } = specOf(mustResolve(resolveFlight({ file: name, spec: bad }, registry)).definition);
  const varied = contextOf(campaign).vary.map(({ key, distribution }) => ({
    path: pathByIndex(parseKeyPath(key)!, scenario as readonly PlainObject[]),
    distribution,
    spec: campaign.vary.find((each) => each.key === key)!.distribution,
  }));
  const ranges = varied.flatMap(({ path, distribution, spec }) => {
    const range = rangeOf(distribution, spec);
    return range === undefined ? [] : [[keyPathText(path), range] as const];
  });
  const against = Object.keys((campaign.plan["against"] ?? {}) as PlainObject).map((key) => parseKeyPath(key)!);
  return {
    name,
    bad,
    base: campaign.base,
    keys: [...varied.map(({ path }) => path), ...against].filter(([first]) => first !== "scenario"),
    ranges: new Map(ranges),
    fixed: varied.filter(({ distribution }) => distribution.size !== undefined).map(({ path }) => keyPathText(path)),
    root,
  };
}

/** Replaces the name of an event by its index, and the key of a time by the key in seconds, e.g. `at` by `atS`. */
function pathByIndex([first, event, ...rest]: Path, scenario: readonly PlainObject[]): Path {
  if (first !== "scenario" || event === undefined) return [first!, ...(event === undefined ? [] : [event]), ...rest];
  const index = typeof event === "number" ? event : scenario.findIndex(({ name }) => name === event);
  const isTime = rest.length === 1 && ["at", "for", "from", "after"].includes(String(rest[0]));
  return [first, index, ...(isTime ? [`${rest[0]}S`] : rest)];
}

/** Returns the ends of a distribution; undefined if it has none. */
function rangeOf({ kind, valueAt }: Distribution, { within }: PlainObject): readonly [number, number] | undefined {
  if (!kind.endsWith("normal")) return [numberOf(valueAt(0)), numberOf(valueAt(1))];
  return Array.isArray(within) ? [numberOf(within[0] as VariedValue), numberOf(within[1] as VariedValue)] : undefined;
}

function numberOf(value: VariedValue): number {
  return typeof value === "string" ? (parseDurationText(value, "with unit") ?? NaN) : Number(value);
}
