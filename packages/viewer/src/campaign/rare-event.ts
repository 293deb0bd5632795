/** The section of a campaign with the plan `splitting`: the probability of a violation, and the levels of each run. */
import { type RareEventSummary, shortNumber } from "@escapement/formats/campaigns";
import { element } from "../shared/elements.ts";
import type { CampaignPageHead } from "./data.ts";
import { section } from "./sections.ts";
import { descentPicture } from "./svg.ts";

export function rareEventSection({ summary }: CampaignPageHead): HTMLElement[] {
  const { rareEvent, requirements } = summary;
  if (rareEvent === undefined) return [];
  const { probability, low, high, confidence, runs } = rareEvent;
  const sentence = element(
    "p",
    "sentence",
    `P(${requirements[rareEvent.requirement]!.name} is violated) = `,
    element("b", "", shortNumber(probability)),
    `, between ${shortNumber(low)} and ${shortNumber(high)} with ${100 * confidence} % confidence, from ${runs.length} runs.`,
  );
  return [
    section(
      "Rare event",
      sentence,
      ...openTexts(rareEvent).map((text) => element("p", "bad", text)),
      descentPicture(runs),
      element(
        "p",
        "facts",
        "Each line is one run: the probability that the margin is below the value on the horizontal axis. Splitting branches the flights with the smallest margins, so the fractions of flights in the tables of this page are not probabilities.",
      ),
    ),
  ];
}

function openTexts({ isComplete, undecided }: RareEventSummary): string[] {
  return [
    ...(isComplete ? [] : ["Not every run reached the event before the maximum number of flights was flown."]),
    ...(undecided === 0 ? [] : [`${undecided} flights are undecided, so the probability has no bounds.`]),
  ];
}
