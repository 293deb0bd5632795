/**
 * The tables of the page: criteria, requirements, worst flights, failed flights, sensitivity, measures and the plan.
 */
import {
  type CriterionSummary,
  marginText,
  percentNumber,
  probabilityText,
  type RequirementSummary,
  type SensitivitySummary,
  shortNumber,
  signedMargin,
  type WorstFlight,
  withUnit,
} from "@escapement/formats/campaigns";
import { button, element, tableOf } from "../shared/elements.ts";
import { commandList } from "./commands.ts";
import type { CampaignPageHead } from "./data.ts";
import type { Histogram } from "./histogram.ts";
import type { Selection } from "./selection.ts";
import { histogramPicture, intervalPicture, sketchPicture } from "./svg.ts";
import { verdictMark } from "./verdict-words.ts";

export function section(title: string, ...children: readonly (Node | string)[]): HTMLElement {
  const heading = element("h2", "", title);
  return element("section", "part", heading, ...children);
}

/** Builds a table with a head; its cells may hold elements. */
function table(className: string, head: readonly string[], rows: readonly (readonly (Node | string)[])[]): HTMLElement {
  const cells = (tag: string, list: readonly (Node | string)[]) =>
    list.map((cell, i) => {
      const node = element(tag === "td" && i === 0 ? "th" : tag, "", cell);
      if (tag === "td") node.dataset["name"] = head[i] ?? "";
      if (node.tagName === "TH") node.setAttribute("scope", tag === "td" ? "row" : "col");
      return node;
    });
  const body = rows.map((row) => element("tr", "", ...cells("td", row)));
  return element(
    "table",
    className,
    element("thead", "", element("tr", "", ...cells("th", head))),
    element("tbody", "", ...body),
  );
}

export function criteriaSection({ summary }: CampaignPageHead): HTMLElement[] {
  if (summary.criteria.length === 0) return [];
  const rows = summary.criteria.map((criterion) => [
    element("span", "", verdictMark(criterion.verdict)),
    element("span", "sentence", criterion.text),
    intervalOf(criterion),
    criterion.reason,
  ]);
  return [section("Criteria", table("criteria cards", ["verdict", "criterion", "interval", "reason"], rows))];
}

function intervalOf({ isProbability, estimate, low, high, limit, unit, text }: CriterionSummary): Node | string {
  if (estimate === null || low === null || high === null) return "";
  const number = (value: number) => (isProbability ? `${percentNumber(value)} %` : withUnit(shortNumber(value), unit));
  const range = `${number(estimate)}, between ${number(low)} and ${number(high)}`;
  const limitText = limit === null ? "" : `; limit ${number(limit)}`;
  const bounds = isProbability ? ([0, 1] as const) : undefined;
  const parts = { estimate, low, high, limit, label: `${text}: ${range}${limitText}` };
  const shownUnit = isProbability ? "%" : unit;
  const plain = (value: number) => (isProbability ? percentNumber(value) : shortNumber(value));
  return element(
    "span",
    "",
    intervalPicture(bounds === undefined ? parts : { ...parts, bounds }),
    element(
      "small",
      "",
      `${withUnit(plain(estimate), shownUnit)} (${plain(low)} … ${plain(high)})`.replaceAll("-", "−"),
    ),
  );
}

export function requirementsSection({ summary, histograms }: CampaignPageHead, selection: Selection): HTMLElement[] {
  const { requirements, probabilities } = summary;
  if (requirements.length === 0) return [];
  const [known] = probabilities.filter((probability) => probability !== null);
  const share = known === undefined ? [] : [`P(holds), ${100 * known.confidence} %`];
  const head = ["requirement", "holds", "violated", "undecided", "untested", ...share, "smallest margin", "margins"];
  const rows = requirements.map((requirement, i) => {
    const probability = probabilities[i] ?? null;
    return [
      ...countCells(requirement),
      ...share.map(() => (probability === null ? "—" : probabilityText(probability))),
      ...marginCells(requirement, histograms[i]!, selection),
    ];
  });
  return [section("Requirements", table("requirements cards", head, rows))];
}

function countCells({ name, text, severity, flights }: RequirementSummary): (Node | string)[] {
  const notes = [...(text === name ? [] : [text]), ...(severity === "warning" ? ["(a warning)"] : [])];
  const title = element("span", "", element("b", "", name));
  if (notes.length > 0) title.append(element("br", ""), element("small", "", notes.join(" ")));
  const counts = (["holds", "violated", "undecided", "untested"] as const).map((word) => {
    const node = element("span", "", String(flights[word]));
    if (word === "violated" && flights.violated > 0) node.className = "bad";
    return node;
  });
  return [title, ...counts];
}

function marginCells(
  { least, unit, name }: RequirementSummary,
  histogram: Histogram,
  selection: Selection,
): (Node | string)[] {
  return [
    least === null
      ? "—"
      : element("span", "", `${signedMargin(least.margin, least.unit)} `, flightButton(least.k, selection)),
    histogramOf(histogram, unit ?? "scales", name),
  ];
}

function histogramOf(histogram: Histogram, unit: string, name: string): Node | string {
  const [below, above] = histogram.infinite;
  const facts = below + above === 0 ? "" : `infinite margin: ${below} violated, ${above} hold`;
  if (histogram.counts.length === 0) return facts === "" ? "—" : element("small", "", facts);
  const figure = element("span", "histogram", histogramPicture(histogram, unit, name));
  if (facts !== "") figure.append(element("small", "", facts));
  return figure;
}

function flightButton(k: number, selection: Selection): HTMLElement {
  const node = button(`#${k}`, () => selection.choose(k));
  node.setAttribute("aria-label", `choose flight ${k}`);
  return node;
}

/** Number of worst flights that are shown without a click. */
const MAX_OPEN_WORST = 6;

export function worstSection({ summary }: CampaignPageHead, selection: Selection): HTMLElement[] {
  if (summary.worst.length === 0) return [];
  const hasViolated = summary.worst.some(({ verdict }) => verdict === "violated");
  const items = summary.worst.map((flight) => worstItem(flight, summary, selection));
  const rest = items.slice(MAX_OPEN_WORST);
  const more = element("details", "", element("summary", "", `${rest.length} more`), element("ol", "worst", ...rest));
  return [
    section(
      hasViolated ? "Worst flights" : "Flights with the smallest margin",
      element("ol", "worst", ...items.slice(0, MAX_OPEN_WORST)),
      ...(rest.length > 0 ? [more] : []),
    ),
  ];
}

function worstItem(flight: WorstFlight, summary: CampaignPageHead["summary"], selection: Selection): HTMLElement {
  const { k, verdict, requirement, outcome, reason, fingerprint, varied, alsoViolates, atS } = flight;
  const { campaign } = summary;
  const values = campaign.keys.map(({ key, unit }, i) => {
    const value = varied[i];
    const text = typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
    return element("span", "value", element("i", "", `${key} `), withUnit(text, unit));
  });
  const others = alsoViolates.map((i) => summary.requirements[i]!.name);
  const facts = [
    ...(others.length === 0 ? [] : [`also violates ${others.join(", ")}`]),
    `${outcome}: ${reason}`,
    fingerprint,
  ];
  const branchS = atS === null ? 0 : Math.max(0, Math.floor(atS - 2));
  return element(
    "li",
    "",
    element(
      "p",
      "title",
      flightButton(k, selection),
      " ",
      element("b", "", summary.requirements[requirement]!.name),
      " ",
      verdictMark(verdict),
      // The unit stays on the line of its number.
      marginText("", flight).replace(/ (?=\S+$)/, "\u00a0"),
    ),
    element("p", "values-line", ...values),
    ...keptParts(flight, summary),
    element("p", "facts", facts.join(" · ")),
    element(
      "details",
      "",
      element("summary", "", `commands for flight ${k}`),
      commandList(campaign, k, branchS, verdict === "violated"),
    ),
  );
}

/** Builds the drawings of a flight whose recording was kept, and the link to its page. */
function keptParts({ k, atS }: WorstFlight, { kept }: CampaignPageHead["summary"]): HTMLElement[] {
  const flight = kept.find((each) => each.k === k);
  if (flight === undefined) return [];
  const { timesS, altitudeM, tiltDeg } = flight.sketch;
  const page = element("a", "", `plots of flight ${k}`);
  page.setAttribute("href", flight.page);
  return [
    element(
      "p",
      "sketches",
      sketchPicture(timesS, altitudeM, { name: "altitude", unit: "m", atS }),
      sketchPicture(timesS, tiltDeg, { name: "tilt", unit: "°", atS }),
    ),
    element("p", "facts", page, " · recording ", element("code", "", flight.recording)),
  ];
}

export function failedSection({ summary }: CampaignPageHead, selection: Selection): HTMLElement[] {
  const { failed, failedFlights } = summary;
  if (failedFlights === 0) return [];
  const rows = failed.map(({ k, outcome, reason }) => [flightButton(k, selection), outcome, reason]);
  const more = failedFlights - failed.length;
  return [
    section(
      "Flights without a result",
      table("cards", ["flight", "outcome", "reason"], rows),
      ...(more > 0 ? [element("p", "facts", `and ${more} more; results.parquet lists all`)] : []),
    ),
  ];
}

export function sensitivitySection({ summary }: CampaignPageHead): HTMLElement[] {
  const { sensitivity } = summary;
  if (sensitivity.length === 0) return [];
  const methods = [...new Set(sensitivity.map(({ method }) => method))];
  const charts = sensitivity.map((each) => element("div", "", element("h3", "", each.of), sensitivityBars(each)));
  return [
    section(
      "Sensitivity",
      ...methods.map((method) => element("p", "facts", `${method}; longer bars matter more`)),
      element("div", "sensitivities", ...charts),
    ),
  ];
}

/**
 * Effects with values between −1 and 1. The full length of their bars stands for 1, so that small effects look small.
 */
const UNIT_EFFECTS: ReadonlySet<string> = new Set(["S1", "ST", "rank correlation", "between bins"]);

function sensitivityBars({ keys }: SensitivitySummary): HTMLElement {
  const all = keys.flatMap(({ effects }) => effects);
  const isWithinOne = all.every(({ name }) => UNIT_EFFECTS.has(name));
  const sizes = all.map(({ value, high }) => Math.max(Math.abs(value), Math.abs(high ?? 0)));
  const largest = Math.max(isWithinOne ? 1 : 1e-12, ...sizes);
  const names = [...new Set(all.map(({ name }) => name))];
  const rows = keys.flatMap(({ key, effects }) =>
    effects.map(({ name, value, low, high }, i) => {
      const bar = element("span", `bar bar-${names.indexOf(name) % 2}`);
      bar.style.width = `${((100 * Math.abs(value)) / largest).toFixed(1)}%`;
      const range = low === undefined || high === undefined ? "" : ` (${shortNumber(low)} … ${shortNumber(high)})`;
      const track = element("span", "bar-track", bar);
      return [i === 0 ? key : "", name, track, `${shortNumber(value).replace("-", "−")}${range}`];
    }),
  );
  return table("sensitivity", ["key", "effect", "size", "value"], rows);
}

export function shrunkSection({ summary }: CampaignPageHead, selection: Selection): HTMLElement[] {
  if (summary.shrunk.length === 0) return [];
  const rows = summary.shrunk.map(({ k, requirement, text, flights, file }) => [
    flightButton(k, selection),
    requirement,
    text,
    `${flights} flights`,
    element("code", "", file),
  ]);
  const head = ["flight", "violates", "remaining differences", "found in", "file"];
  return [section("Shrunk flights", table("cards", head, rows))];
}

export function measuresSection({ summary }: CampaignPageHead): HTMLElement[] {
  const measured = summary.measures.filter(({ flights }) => flights > 0);
  if (measured.length === 0) return [];
  const number = (value: number | null) => (value === null ? "—" : shortNumber(value).replace("-", "−"));
  const rows = measured.map(({ name, unit, min, mean, max, flights }) => {
    return [withUnit(name, unit), number(min), number(mean), number(max), String(flights)];
  });
  const node = tableOf(["measure", "smallest", "mean", "largest", "flights"], rows, "numbers measures");
  return [section("Measures", element("div", "scrolled", node))];
}

/** Formats settings, for example "uniform 3 … 15" or "choice 1, 2, 3". */
function settingTexts(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).map(([name, value]) => {
    const isRange = Array.isArray(value) && RANGES.has(name);
    return `${name} ${isRange ? value.join(" … ") : settingText(value)}`;
  });
}

/** Settings whose two values are the ends of a range. */
const RANGES: ReadonlySet<string> = new Set(["uniform", "log-uniform", "within"]);

function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.map(settingText).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return settingTexts(value as Readonly<Record<string, unknown>>).join(", ");
}

/** Returns the settings that apply: omits empty ones, and those that have no effect with this value of `until`. */
function usedSettings(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const unused = settings["until"] === "" ? ["lookEvery", "most"] : settings["until"] === "decided" ? ["flights"] : [];
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => value !== "" && !unused.includes(name) && !(name === "replicates" && value === 0),
    ),
  );
}

export function planSection({ summary, points, notable, notablePoints }: CampaignPageHead): HTMLElement {
  const { campaign, flights, beyond, takenOver } = summary;
  const { kind, ...settings } = campaign.plan;
  const omitted = flights - points;
  const texts: [string, string][] = [
    ["plan", [kind, ...settingTexts(usedSettings(settings))].join(", ")],
    ["seeds", `${campaign.seeds}, seed ${campaign.seed}`],
    ...campaign.keys.map(({ key, unit, distribution }): [string, string] => {
      const text = settingTexts(distribution).join(", ");
      // A value such as "10 s" already contains its unit.
      return [key, text.endsWith(` ${unit}`) ? text : withUnit(text, unit)];
    }),
    ["campaign", campaign.identity],
    ["code", campaign.code],
    ...(takenOver === undefined
      ? []
      : [
          [
            "reused",
            `${takenOver.rows} rows of code ${takenOver.code}; ${takenOver.repeated} of them were flown again and are equal`,
          ] as [string, string],
        ]),
    ...(beyond > 0
      ? [["not counted", `${beyond} flights after the last check of the criteria`] as [string, string]]
      : []),
    ...(omitted > 0
      ? [
          [
            "points",
            `${points} of ${flights} flights are drawn, ${notablePoints} of the ${notable} that violate or have no result`,
          ] as [string, string],
        ]
      : []),
    ...(campaign.isRepeatable
      ? []
      : [["repeatable", "no, because the autopilot ran by the wall clock"] as [string, string]]),
  ];
  const rows = texts.map(([name, text]) => element("div", "", element("dt", "", name), element("dd", "", text)));
  return section("How it was flown", element("dl", "how", ...rows));
}
