/**
 * Delta debugging: reduces a set of changes to a minimal subset that still causes a failure.
 *
 * The algorithm is ddmin (A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, 2002). It tries
 * parts of the set, then the set without each part, and splits into smaller parts if neither fails.
 */

/**
 * Returns a 1-minimal subset of `all`, in the same order: it fails, but does not fail without any one of its elements.
 * `all` itself must fail. Sets that do not fail and sets that cannot be tried are treated alike: the search continues.
 */
export function ddmin<T>(all: readonly T[], fails: (part: readonly T[]) => boolean): readonly T[] {
  let found = all;
  let count = 2;
  while (found.length >= 2) {
    const parts = split(found, count);
    const part = parts.find(fails);
    if (part !== undefined) {
      found = part;
      count = 2;
      continue;
    }
    // With two parts, the complement of one part is the other part.
    const complement = count === 2 ? undefined : complementsOf(found, parts).find(fails);
    if (complement !== undefined) {
      found = complement;
      count -= 1;
    } else if (count < found.length) {
      count = Math.min(found.length, 2 * count);
    } else {
      break;
    }
  }
  return found;
}

/** Splits a list into parts of nearly equal length. */
function split<T>(list: readonly T[], count: number): T[][] {
  const start = (i: number) => Math.floor((i * list.length) / count);
  return Array.from({ length: count }, (_, i) => list.slice(start(i), start(i + 1)));
}

/** Returns the complement of each part: the list without that part. */
function complementsOf<T>(list: readonly T[], parts: readonly (readonly T[])[]): T[][] {
  return parts.map((part) => list.filter((element) => !part.includes(element)));
}
