/**
 * Parameters without which a kind has no effect, by family and name. The contract tests and the reference flights use
 * them; both have a test that names a kind without an effect.
 */
import type { KindFamily, PlainObject } from "@escapement/core";

export const NEEDED_PARAMS: Partial<Record<KindFamily, Readonly<Record<string, PlainObject>>>> = {
  winds: {
    constant: { windNedMps: [4, -2, 0.5] },
    gust: { startS: 0.5, lengthS: 3 },
    sum: { constant: [{}], ou: [{}], dryden: [{}], gust: [{ startS: 1 }] },
  },
};
