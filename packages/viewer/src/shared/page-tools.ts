/** Tools that all pages share: copy buttons, and redrawing when the width or the colours of the page change. */
import { button } from "./elements.ts";

const NOTICE_MS = 2_000;

/**
 * Builds a button that copies a text. If the browser denies access to the clipboard, it selects the text in `holder`.
 */
export function copyButton(label: string, text: string, holder: (self: HTMLElement) => HTMLElement): HTMLElement {
  let selectable: HTMLElement | undefined;
  return button(label, (self) => {
    const showNotice = (word: string) => {
      self.textContent = word;
      setTimeout(() => (self.textContent = label), NOTICE_MS);
    };
    const select = () => {
      selectable ??= holder(self);
      getSelection()?.selectAllChildren(selectable);
      showNotice("selected, now copy it");
    };
    // The clipboard is undefined in an insecure context.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) select();
    else void clipboard.writeText(text).then(() => showNotice("copied"), select);
  });
}

/**
 * Calls `fit` when the width changes, and `fit` and `redraw` when the colours change (dark mode, light mode, print).
 */
export function keepFitting(place: HTMLElement, fit: () => void, redraw: () => void): void {
  new ResizeObserver(fit).observe(place);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", () => {
      fit();
      redraw();
    });
  }
}
