/**
 * The panel beside the scene, with tabs for plots, events and the comparison.
 *
 * The page loads it, with the plots and their library, when the first flight is shown.
 */
import { effect, signal } from "@preact/signals-core";
import { element } from "../../shared/elements.ts";
import type { Commands } from "../commands.ts";
import type { Frame } from "../frame.ts";
import { makePlots } from "../plots/plots.ts";
import type { Store } from "../store/store.ts";
import { makeEventList } from "./event-list.ts";

const TABS = ["Plots", "Events", "Compare"] as const;
type Tab = (typeof TABS)[number];

export function fillSide(
  node: HTMLElement,
  store: Store,
  frame: Frame,
  commands: Commands,
  isDark: () => boolean,
): void {
  const { state } = store;
  const chosen = signal<Tab>("Plots");
  const panels: Readonly<Record<Tab, HTMLElement>> = {
    Plots: makePlots(store, frame, commands, isDark),
    Events: makeEventList(store),
    Compare: lazyCompare(store, isDark),
  };
  const choose = (tab: Tab) => {
    chosen.value = tab;
    state.isComparing.value = tab === "Compare";
  };
  const tabs = TABS.map((tab) => tabButton(tab, () => choose(tab)));
  const list = element("div", "tabs", ...tabs);
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Beside the scene");
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (TABS.indexOf(chosen.peek()) + step + TABS.length) % TABS.length;
    choose(TABS[next]!);
    tabs[next]!.focus();
  });
  const bodies = TABS.map((tab) => {
    const body = element("div", "side-panel", panels[tab]);
    body.id = `panel-${tab}`;
    body.setAttribute("role", "tabpanel");
    body.setAttribute("aria-labelledby", `tab-${tab}`);
    return body;
  });
  effect(() => {
    if (state.isComparing.value) chosen.value = "Compare";
    else if (chosen.peek() === "Compare") chosen.value = "Plots";
  });
  effect(() => {
    TABS.forEach((tab, i) => {
      const isChosen = chosen.value === tab;
      tabs[i]!.setAttribute("aria-selected", String(isChosen));
      tabs[i]!.tabIndex = isChosen ? 0 : -1;
      bodies[i]!.hidden = !isChosen;
    });
  });
  node.append(list, ...bodies);
}

/** Loads the comparison when it is first shown. */
function lazyCompare(store: Store, isDark: () => boolean): HTMLElement {
  const node = element("section", "compare");
  node.setAttribute("aria-label", "Comparison");
  node.tabIndex = 0;
  let isLoading = false;
  effect(() => {
    if (!store.state.isComparing.value || isLoading) return;
    isLoading = true;
    void import("./compare-table.ts").then(({ fillCompare }) => fillCompare(node, store, isDark));
  });
  return node;
}

function tabButton(tab: Tab, run: () => void): HTMLElement {
  const node = element("button", "", tab);
  node.id = `tab-${tab}`;
  node.setAttribute("role", "tab");
  node.setAttribute("aria-controls", `panel-${tab}`);
  node.addEventListener("click", run);
  return node;
}
