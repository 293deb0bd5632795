/** Verdicts with a sign and a colour, so that the reader need not rely on colour. */
import { element } from "../shared/elements.ts";

const SIGNS: Readonly<Record<string, readonly [sign: string, className: string]>> = {
  met: ["✓", "good"],
  holds: ["✓", "good"],
  "not met": ["✗", "bad"],
  violated: ["✗", "bad"],
  incomplete: ["!", "bad"],
  open: ["?", "open"],
  undecided: ["?", "open"],
  untested: ["–", "open"],
};

/** Shows a verdict with its sign; `text` replaces the verdict's name. */
export function verdictMark(word: string, text = word): HTMLElement {
  const [sign, className] = SIGNS[word] ?? ["", ""];
  const mark = element("span", "sign", sign);
  mark.setAttribute("aria-hidden", "true");
  return element("span", `verdict ${className}`, mark, ` ${text}`);
}
