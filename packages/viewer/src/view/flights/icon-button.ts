/** A button with an icon, its name for screen readers and tooltips, and its key. */
import { element } from "../../shared/elements.ts";
import { icon, type IconName } from "../icons.ts";

export function iconButton(name: IconName, label: string, run: () => void, key = ""): HTMLElement {
  const node = element("button", "icon-button");
  node.append(icon(name));
  node.setAttribute("aria-label", label);
  node.title = key === "" ? label : `${label} (${key})`;
  node.addEventListener("click", run);
  return node;
}
