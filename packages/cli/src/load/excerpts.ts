/** The lines that complaints are about, remembered where they were read, shown where they are printed. */
import type { SimError } from "@escapement/core";

export interface Excerpt {
  readonly line: number;
  readonly text: string;
  /** What to underline; absent where only the line is known. */
  readonly mark?: { readonly column: number; readonly length: number };
}

const excerpts = new WeakMap<SimError, Excerpt>();

export function rememberExcerpt(error: SimError, excerpt: Excerpt): void {
  excerpts.set(error, excerpt);
}

export function excerptOf(error: SimError): Excerpt | undefined {
  return excerpts.get(error);
}
