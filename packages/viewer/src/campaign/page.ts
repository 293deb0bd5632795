/** The script of a campaign page: reads the data block in the document and builds the page from it. */
import { element } from "../shared/elements.ts";
import { readBlocks } from "../shared/page-blocks.ts";
import { copyButton } from "../shared/page-tools.ts";
import type { CampaignPageHead } from "./data.ts";
import { PointTable } from "./point-table.ts";
import { rareEventSection } from "./rare-event.ts";
import {
  criteriaSection,
  failedSection,
  measuresSection,
  planSection,
  requirementsSection,
  sensitivitySection,
  shrunkSection,
  worstSection,
} from "./sections.ts";
import { Selection } from "./selection.ts";
import { verdictMark } from "./verdict-words.ts";
import { whereSection } from "./where.ts";

const SHOWN_CODE_DIGITS = 12;

const page = document.getElementById("page");
const [block] = readBlocks(document);
if (page !== null && block !== undefined) {
  const head = block.head as CampaignPageHead;
  build(page, head, new PointTable(head.columns, block.bytes));
}

function build(place: HTMLElement, head: CampaignPageHead, table: PointTable): void {
  const selection = new Selection();
  place.classList.add("campaign");
  place.append(
    pageHead(head),
    ...criteriaSection(head),
    ...rareEventSection(head),
    ...requirementsSection(head, selection),
    ...(table.size > 0 ? [whereSection(head, table, selection)] : []),
    ...sensitivitySection(head),
    ...worstSection(head, selection),
    ...shrunkSection(head, selection),
    ...failedSection(head, selection),
    ...measuresSection(head),
    planSection(head),
  );
  selection.followAddress();
}

function pageHead({ summary, verdict }: CampaignPageHead): HTMLElement {
  const { campaign, flights, simulatedS, outcomes } = summary;
  const id = `${campaign.identity} @${campaign.code.slice(0, SHOWN_CODE_DIGITS)}`;
  const code = element("code", "", id);
  const ends = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const facts = [`${flights} flights`, ...ends, `${durationText(simulatedS)} simulated`, `plan ${campaign.plan.kind}`];
  return element(
    "header",
    "",
    element("h1", "", campaign.name),
    element("p", "subtitle", verdictMark(verdict, verdictText(summary, verdict))),
    element("p", "facts", facts.join(" · ")),
    element(
      "p",
      "facts",
      code,
      " ",
      copyButton("copy the id", id, () => code),
    ),
  );
}

function verdictText({ criteria, failedFlights }: CampaignPageHead["summary"], verdict: string): string {
  if (verdict === "incomplete") return `incomplete: ${failedFlights} flights have no result`;
  if (criteria.length === 0) {
    if (verdict === "met") return "every requirement holds in every flight";
    return verdict === "open"
      ? "open: some flights ended before their verdict was decided"
      : "a requirement is violated";
  }
  const count = criteria.filter((criterion) => criterion.verdict === verdict).length;
  return verdict === "met" ? "every criterion is met" : `${count} of ${criteria.length} criteria ${verdict}`;
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
