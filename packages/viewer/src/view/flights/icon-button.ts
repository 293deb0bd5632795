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

/** The key of a button beside its text; not part of its name. */
export function keyHint(key: string): HTMLElement {
  const node = element("kbd", "", key);
  node.setAttribute("aria-hidden", "true");
  return node;
}
