/** Shell commands that the reader can copy. */
import { flightCommands } from "@escapement/formats/campaigns";
import { element } from "../shared/elements.ts";
import { copyButton } from "../shared/page-tools.ts";

/** Builds the list of commands for one flight. `atS` is the time at which the branch command branches. */
export function commandList(file: string, k: number, atS: number, withShrink: boolean): HTMLElement {
  if (file === "")
    return element("p", "facts", `flown from a program; flight(${k}) of its result returns the description`);
  const { fly, view, branch, shrink } = flightCommands(file, k, atS);
  return element("div", "commands", ...[fly, view, branch, ...(withShrink ? [shrink] : [])].map(command));
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
