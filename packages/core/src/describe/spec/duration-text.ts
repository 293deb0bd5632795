/** Parses durations as users write them: `30 s`, `250 ms`, `1.5 min`, or a number of seconds if that is allowed. */
const PER_SECOND: Readonly<Record<string, number>> = { us: 1_000_000, ms: 1000, s: 1 };
const SECONDS: Readonly<Record<string, number>> = { min: 60, h: 3600 };

/** Every part of the text can match in one way only, so matching takes time linear in the length of the text. */
const NUMBER_WITH_UNIT = /^((?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(us|µs|ms|s|min|h)?$/;

/**
 * Returns seconds, or undefined if the value cannot be parsed. With the form `with unit`, which files use, a number
 * must have a unit.
 */
export function parseDurationText(value: unknown, form: "any" | "with unit" = "any"): number | undefined {
  if (typeof value === "number" && form === "any") return value;
  if (typeof value !== "string") return undefined;
  const match = NUMBER_WITH_UNIT.exec(value.trim());
  if (match === null || (match[2] === undefined && form === "with unit")) return undefined;
  const number = Number(match[1]);
  const unit = (match[2] ?? "s").replace("µ", "u");
  // Division gives the double nearest to 0.0003 for 0.3 ms; multiplication by 1e-3 would not.
  return unit in PER_SECOND ? number / PER_SECOND[unit]! : number * SECONDS[unit]!;
}
