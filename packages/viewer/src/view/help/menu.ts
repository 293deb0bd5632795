/** A small menu below a button. */
import { element } from "../../shared/elements.ts";

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/**
 * Opens a menu below an element. Arrow keys move to an item, and Enter chooses it. Escape, a click elsewhere or a
 * resize of the page closes the menu.
 */
export function openMenu(anchor: HTMLElement, items: readonly MenuItem[]): void {
  const node = element("div", "menu");
  node.setAttribute("role", "menu");
  const close = () => {
    node.remove();
    document.removeEventListener("pointerdown", closeOutside, true);
    removeEventListener("resize", close);
    anchor.setAttribute("aria-expanded", "false");
    anchor.focus();
  };
  const closeOutside = (event: Event) => {
    if (!node.contains(event.target as Node)) close();
  };
  for (const { label, run } of items) {
    const item = element("button", "", label);
    item.setAttribute("role", "menuitem");
    item.addEventListener("click", () => {
      close();
      run();
    });
    node.append(item);
  }
  node.addEventListener("keydown", (event) => {
    const all = [...node.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(node);
  place(node, anchor);
  anchor.setAttribute("aria-expanded", "true");
  node.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  document.addEventListener("pointerdown", closeOutside, true);
  addEventListener("resize", close);
}

function place(node: HTMLElement, anchor: HTMLElement): void {
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = node;
  const isBelow = bottom + offsetHeight + 8 < window.innerHeight;
  node.style.left = `${Math.max(8, Math.min(window.innerWidth - offsetWidth - 8, left))}px`;
  node.style.top = `${isBelow ? bottom + 4 : Math.max(8, top - offsetHeight - 4)}px`;
}
