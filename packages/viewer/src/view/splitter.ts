/** A bar at the edge of a panel that changes the panel's width by pointer or arrow keys. A double click resets it. */
import { effect, type Signal } from "@preact/signals-core";
import { element } from "../shared/elements.ts";

interface SplitterOptions {
  readonly label: string;
  /** Width of the panel in pixels; undefined for its default width. */
  readonly width: Signal<number | undefined>;
  /** The CSS custom property that holds the width. */
  readonly property: string;
  /** The edge of the panel at which the bar is. */
  readonly edge: "left" | "right";
}

const MIN_PX = 260;
/** A panel is at most this fraction of the page's width. */
const MAX_FRACTION = 0.6;
const STEP_PX = 16;

export function addSplitter(panel: HTMLElement, { label, width, property, edge }: SplitterOptions): void {
  const node = element("div", `splitter ${edge}`);
  const grows = edge === "left" ? -1 : 1;
  node.tabIndex = 0;
  for (const [name, value] of Object.entries({
    role: "separator",
    "aria-orientation": "vertical",
    "aria-label": label,
    "aria-valuemin": "0",
    "aria-valuemax": "100",
  })) {
    node.setAttribute(name, value);
  }
  const set = (px: number) => {
    width.value = Math.round(Math.max(MIN_PX, Math.min(MAX_FRACTION * window.innerWidth, px)));
  };
  const now = () => panel.getBoundingClientRect().width;
  node.addEventListener("pointerdown", (event) => node.setPointerCapture(event.pointerId));
  node.addEventListener("pointermove", (event) => {
    if (node.hasPointerCapture(event.pointerId) && event.movementX !== 0) set(now() + grows * event.movementX);
  });
  node.addEventListener("dblclick", () => (width.value = undefined));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(now() + grows * step * STEP_PX);
  });
  effect(() => {
    const px = width.value;
    if (px === undefined) document.documentElement.style.removeProperty(property);
    else document.documentElement.style.setProperty(property, `${px}px`);
    node.setAttribute("aria-valuenow", String(Math.round((100 * (px ?? now())) / Math.max(1, window.innerWidth))));
  });
  panel.append(node);
}
