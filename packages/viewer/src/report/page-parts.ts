/** Parts that all reports share: the head and the collapsed flight definition. */
import type { FlightDefinition } from "@escapement/core";
import { element } from "../shared/elements.ts";
import { copyButton } from "../shared/page-tools.ts";
import { flyLink } from "./fly-this.ts";

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
  const link = flyLink();
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
      ...(link === undefined ? [] : [link, " "]),
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
