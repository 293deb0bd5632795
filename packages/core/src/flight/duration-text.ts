/** Durations as people write them in events: `30 s`, `250 ms`, `1.5 min`, or plain seconds. */
const UNITS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 };

/** Seconds, or undefined if it is not understood. */
export function parseDurationText(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const match = /^\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*(us|ms|s|min|h)?\s*$/.exec(value);
  if (match === null) return undefined;
  const factor = UNITS[match[2] ?? "s"]!;
  // Dividing keeps 0.3 ms the nearest double to 0.0003; multiplying by 1e-3 would not.
  return factor < 1 ? Number(match[1]) / Math.round(1 / factor) : Number(match[1]) * factor;
}
