/** Builds a button with an icon. The tooltip shows its name and key; screen readers read the name. */
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

/** Builds the key hint beside a button's text. Screen readers skip it. */
export function keyHint(key: string): HTMLElement {
  const node = element("kbd", "", key);
  node.setAttribute("aria-hidden", "true");
  return node;
}
