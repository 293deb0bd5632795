/** Shell commands that the reader can copy. */
import { type CampaignSummary, flightCommands, unrepeatableText } from "@escapement/formats/campaigns";
import { element } from "../shared/elements.ts";
import { copyButton } from "../shared/page-tools.ts";

/**
 * Builds the list of commands for one flight. If the flight cannot be flown again, says where it is recorded. `atS` is
 * the time at which the branch command branches.
 */
export function commandList(
  { file, isRepeatable }: Pick<CampaignSummary["campaign"], "file" | "isRepeatable">,
  k: number,
  atS: number,
  isViolated: boolean,
): HTMLElement {
  if (!isRepeatable) return element("p", "facts", unrepeatableText(k, isViolated));
  if (file === "")
    return element(
      "p",
      "facts",
      `A program flew this campaign; flight(${k}) on the result returns this flight's description.`,
    );
  const { fly, view, branch, shrink } = flightCommands(file, k, atS);
  return element("div", "commands", ...[fly, view, branch, ...(isViolated ? [shrink] : [])].map(command));
}

let count = 0;

function command(text: string): HTMLElement {
  const code = element("code", "", text);
  count += 1;
  code.id = `command-${count}`;
  const copy = copyButton("copy", text, () => code);
  copy.setAttribute("aria-describedby", code.id);
  return element("p", "command", copy, code);
}
