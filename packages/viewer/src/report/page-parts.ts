/** Parts that all pages share: the head, the folded flight definition, and fitting plots to the width of the page. */
import type { FlightDefinition } from "@escapement/core";
import { button, element } from "../shared/elements.ts";

interface PageHead {
  readonly title: string;
  readonly subtitle: string;
  readonly facts: readonly string[];
  readonly fingerprint: string;
  readonly version: string;
  readonly definition: FlightDefinition;
  /** Colours the subtitle. */
  readonly mood?: "good" | "bad";
}

export function pageHead({ title, subtitle, facts, fingerprint, version, definition, mood }: PageHead): HTMLElement {
  const fingerprintCode = element("code", "", fingerprint === "" ? "no fingerprint" : fingerprint);
  return element(
    "header",
    "",
    element("h1", "", title),
    element("p", mood === undefined ? "subtitle" : `subtitle ${mood}`, subtitle),
    element("p", "facts", [...facts, `Escapement ${version}`].join(" · ")),
    element(
      "p",
      "facts",
      fingerprintCode,
      " ",
      ...(fingerprint === "" ? [] : [copyButton("copy the fingerprint", fingerprint, () => fingerprintCode)]),
      copyButton("copy the flight", flightText(definition), (self) => {
        const shown = element("pre", "", flightText(definition));
        self.after(shown);
        return shown;
      }),
    ),
  );
}

export function flightDetails(definition: FlightDefinition, title = "the resolved flight"): HTMLElement {
  return element("details", "", element("summary", "", title), element("pre", "", flightText(definition)));
}

function flightText(definition: FlightDefinition): string {
  return JSON.stringify(definition, null, 2);
}

const NOTICE_MS = 2_000;

/** If the browser denies access to the clipboard, selects the text in the element that holds it. */
function copyButton(label: string, text: string, holder: (self: HTMLElement) => HTMLElement): HTMLElement {
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
