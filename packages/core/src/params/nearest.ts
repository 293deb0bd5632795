/**
 * The nearest known name to a misspelt one, by edit distance, for "did you mean …?".
 * It suggests nothing if more than a third of the letters differ: the full list is then more helpful.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  const lower = given.slice(0, 64).toLowerCase();
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.floor(Math.max(given.length, best.length) / 3))
    ? best
    : undefined;
}

/** The fix for an unknown name: the likely intended one, or `otherwise` if none is near. */
export function didYouMean(given: string, known: readonly string[], otherwise: string): string {
  const near = nearestName(given, known);
  return near === undefined ? otherwise : `did you mean "${near}"?`;
}

/** The fix for an unknown name: the likely intended one, and the list of known names. */
export function oneOfNames(given: unknown, known: readonly string[]): string {
  const near = typeof given === "string" ? nearestName(given, known) : undefined;
  return `${near === undefined ? "" : `did you mean "${near}"? `}one of: ${known.join(", ")}`;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
