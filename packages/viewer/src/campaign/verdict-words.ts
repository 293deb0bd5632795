/** Words with a sign and a colour, so that no verdict depends on colour alone. */
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

/** The word of a verdict with its sign; `text` replaces the word. */
export function verdictMark(word: string, text = word): HTMLElement {
  const [sign, className] = SIGNS[word] ?? ["", ""];
  const mark = element("span", "sign", sign);
  mark.setAttribute("aria-hidden", "true");
  return element("span", `verdict ${className}`, mark, ` ${text}`);
}
