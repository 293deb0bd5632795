/** Tools that all pages share: buttons that copy, and drawings that follow the width and the colours of the page. */
import { button } from "./elements.ts";

const NOTICE_MS = 2_000;

/** If the browser denies access to the clipboard, selects the text in the element that holds it. */
export function copyButton(label: string, text: string, holder: (self: HTMLElement) => HTMLElement): HTMLElement {
  let held: HTMLElement | undefined;
  return button(label, (self) => {
    const say = (word: string) => {
      self.textContent = word;
      setTimeout(() => (self.textContent = label), NOTICE_MS);
    };
    const select = () => {
      held ??= holder(self);
      getSelection()?.selectAllChildren(held);
      say("selected, now copy it");
    };
    // Undefined in an insecure context.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) select();
    else void clipboard.writeText(text).then(() => say("copied"), select);
  });
}

/** Calls `fit` when the width changes and `redraw` when the colours change: dark mode, light mode, print. */
export function keepFitting(place: HTMLElement, fit: () => void, redraw: () => void): void {
  new ResizeObserver(fit).observe(place);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", () => {
      fit();
      redraw();
    });
  }
}
