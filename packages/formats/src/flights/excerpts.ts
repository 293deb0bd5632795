/** Keeps the source line of each diagnostic, so that it can be printed with the error. */
import type { SimError } from "@escapement/core";

interface Excerpt {
  readonly line: number;
  readonly text: string;
  /** The part to underline; absent if only the line is known. */
  readonly mark?: { readonly column: number; readonly length: number };
}

const excerpts = new WeakMap<SimError, Excerpt>();

export function storeExcerpt(error: SimError, excerpt: Excerpt): void {
  excerpts.set(error, excerpt);
}

export function excerptOf(error: SimError): Excerpt | undefined {
  return excerpts.get(error);
}
