/**
 * The result of a campaign as JUnit XML: a test case per criterion, per requirement, per worst flight and per flight
 * without a result. There is never a case per flight, because readers cannot handle 10⁵ cases.
 *
 * A case fails only if the campaign fails, so the file and the exit code always agree. If the criteria are met, flights
 * that violate a requirement are reported in the output of passing cases. Times are simulated seconds, and the file has
 * the same bytes in every run. Names are unique, because GitLab ignores a second case with the same name.
 */
import {
  type CampaignSummary,
  type CriterionSummary,
  estimateText,
  type FailedFlight,
  flightCommands,
  marginText,
  type RequirementSummary,
  unrepeatableText,
  variedText,
  type WorstFlight,
} from "@escapement/formats";
import { campaignVerdict, requirementVerdict } from "../results/summary.ts";
import { attributeText, contentText } from "./xml.ts";

interface Case {
  readonly name: string;
  readonly timeS: number;
  readonly result: "passed" | "failure" | "error" | "skipped";
  /** One line; empty if there is no message. */
  readonly message: string;
  readonly details: readonly string[];
}

interface JunitOptions {
  /** Path of the campaign's HTML report, relative to the folder in which CI looks for it. */
  readonly attachment?: string;
}

export function junitXml(summary: CampaignSummary, { attachment }: JunitOptions = {}): string {
  const isFailing = campaignVerdict(summary) !== "met";
  const cases = withUniqueNames([
    ...summary.criteria.map((criterion) => criterionCase(criterion)),
    ...summary.requirements.map((requirement) => requirementCase(summary, requirement, isFailing)),
    ...summary.worst.map((flight) => flightCase(summary, flight, isFailing)),
    ...summary.failed.map((flight) => failedCase(summary, flight)),
  ]);
  const count = (result: Case["result"]) => cases.filter((each) => each.result === result).length;
  const { name, identity, code } = summary.campaign;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`;
  const time = `time="${summary.simulatedS.toFixed(3)}"`;
  const suiteName = attributeText(name);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${suiteName}" ${counts} ${time}>`,
    `<testsuite name="${suiteName}" ${counts} skipped="${count("skipped")}" ${time}>`,
    "<properties>",
    `<property name="campaign" value="${attributeText(identity)}"/>`,
    `<property name="code" value="${attributeText(code)}"/>`,
    `<property name="flights" value="${summary.flights}"/>`,
    "</properties>",
    ...cases.map((each) => caseXml(each, suiteName, attachment)),
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function criterionCase(criterion: CriterionSummary): Case {
  const { text, verdict, reason } = criterion;
  const message = [estimateText(criterion).replace("  (", " ("), reason].filter((part) => part !== "").join(", ");
  return {
    name: text,
    timeS: 0,
    result: verdict === "met" ? "passed" : "failure",
    message: verdict === "met" ? "" : message,
    details: verdict === "met" ? [message] : [],
  };
}

function requirementCase({ campaign }: CampaignSummary, requirement: RequirementSummary, isFailing: boolean): Case {
  const { name, text, severity, flights, least } = requirement;
  const { holds, violated, undecided, untested } = flights;
  const isUntested = untested > 0 && holds + violated + undecided === 0;
  const fails = isFailing && requirementVerdict(requirement) !== "met";
  const counts = `holds in ${holds} flights, violated in ${violated}, undecided in ${undecided}, untested in ${untested}`;
  return {
    name,
    timeS: 0,
    result: fails ? "failure" : isUntested ? "skipped" : "passed",
    message: isUntested ? "untested in every flight" : fails ? counts : "",
    details: [
      ...(text === name ? [] : [text]),
      ...(fails ? [] : [counts]),
      ...(severity === "warning" ? ["severity: warning"] : []),
      ...(least === null
        ? []
        : [`least margin: #${least.k}, ${least.predicate}`, flyText(campaign, least.k, violated > 0)]),
    ],
  };
}

function flightCase(summary: CampaignSummary, flight: WorstFlight, isFailing: boolean): Case {
  const { name, text, severity } = summary.requirements[flight.requirement]!;
  const fails = isFailing && flight.verdict === "violated" && severity === "error";
  const message = marginText(flight.verdict, flight);
  return {
    name: `#${flight.k} ${name}`,
    timeS: flight.endS,
    result: fails ? "failure" : "passed",
    message: fails ? message : "",
    details: [
      ...(fails ? [] : [message]),
      `requirement: ${text}`,
      `varied: ${variedText(summary.campaign.keys, flight.varied)}`,
      `outcome: ${flight.outcome}, ${flight.reason}`,
      `fingerprint: ${flight.fingerprint}`,
      flyText(summary.campaign, flight.k, flight.verdict === "violated"),
    ],
  };
}

function failedCase({ campaign }: CampaignSummary, flight: FailedFlight): Case {
  return {
    name: `#${flight.k} ${flight.outcome}`,
    timeS: 0,
    result: "error",
    message: flight.reason,
    details: [`varied: ${variedText(campaign.keys, flight.varied)}`, flyText(campaign, flight.k, false)],
  };
}

function flyText({ file, isRepeatable }: CampaignSummary["campaign"], k: number, isViolated: boolean): string {
  return isRepeatable ? flightCommands(file, k, 0).fly : unrepeatableText(k, isViolated);
}

function withUniqueNames(cases: readonly Case[]): Case[] {
  const seen = new Set<string>();
  return cases.map((each) => {
    let { name } = each;
    for (let count = 2; seen.has(name); count += 1) name = `${each.name} (${count})`;
    seen.add(name);
    return { ...each, name };
  });
}

/** GitLab shows only the content of an element, and Jenkins also its message attribute, so the message is in both. */
function caseXml({ name, timeS, result, message, details }: Case, suiteName: string, attachment?: string): string {
  const start = `<testcase classname="${suiteName}" name="${attributeText(name)}" time="${timeS.toFixed(3)}">`;
  const text = contentText([...(message === "" ? [] : [message]), ...details].join("\n"));
  const attachmentText = attachment === undefined ? "" : contentText(`[[ATTACHMENT|${attachment}]]`);
  if (result === "passed") return `${start}${output([text, attachmentText])}</testcase>`;
  const element = `<${result} message="${attributeText(message)}">${text}</${result}>`;
  return `${start}${element}${output([attachmentText])}</testcase>`;
}

function output(texts: readonly string[]): string {
  const given = texts.filter((text) => text !== "");
  return given.length === 0 ? "" : `<system-out>${given.join("\n")}</system-out>`;
}
