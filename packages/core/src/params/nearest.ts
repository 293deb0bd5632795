/**
 * Finds the known name that is nearest to a misspelled one by edit distance, for "did you mean …?". Returns nothing if
 * more than a third of the letters differ, because the full list is then more helpful.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  const lower = name.slice(0, 64).toLowerCase();
  for (const other of known) {
    const distance = editDistance(lower, other.toLowerCase());
    if (distance < bestDistance) {
      best = other;
      bestDistance = distance;
    }
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.floor(Math.max(name.length, best.length) / 3))
    ? best
    : undefined;
}

/** Returns the fix for an unknown name: the likely intended one, or `otherwise` if none is near. */
export function didYouMean(name: string, known: readonly string[], otherwise: string): string {
  const near = nearestName(name, known);
  return near === undefined ? otherwise : `did you mean "${near}"?`;
}

/** Returns the fix for an unknown name: the likely intended one, and the list of known names. */
export function oneOfNames(name: unknown, known: readonly string[]): string {
  const near = typeof name === "string" ? nearestName(name, known) : undefined;
  return `${near === undefined ? "" : `did you mean "${near}"? `}use one of: ${known.join(", ")}`;
}

/**
 * Returns the edit distance, computed row by row: an inserted, deleted or replaced letter, and a swap of two
 * neighbours, count as one edit each.
 */
function editDistance(a: string, b: string): number {
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const different = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? above[j - 2]! + 1 : Infinity;
      next.push(Math.min(different, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    above = row;
    row = next;
  }
  return row[b.length]!;
}
