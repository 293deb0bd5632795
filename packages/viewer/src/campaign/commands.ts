/** Commands to copy. */
import { flightCommands } from "@escapement/formats/campaigns";
import { element } from "../shared/elements.ts";
import { copyButton } from "../shared/page-tools.ts";

/** The commands for one flight; `atS` is the instant to branch at. */
export function commandList(file: string, k: number, atS: number, withShrink: boolean): HTMLElement {
  if (file === "") return element("p", "facts", `flown from a program: its result has the description as flight(${k})`);
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
