/** The menu of a plot: add quantities, change its kind or axis, move it, remove it. */
import { element } from "../../shared/elements.ts";
import { type MenuItem, openMenu } from "../help/menu.ts";
import { icon } from "../icons.ts";
import type { Panel } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import { addPanel, setPanels } from "./panels-change.ts";

/**
 * Builds the button that opens the menu. `title` is the element with the name of the plot; `range` returns the current
 * limits of the vertical axis.
 */
export function panelMenu(panel: Panel, store: Store, title: HTMLElement, range: () => Range | undefined): HTMLElement {
  const node = element("button", "icon-button small");
  node.append(icon("more"));
  node.setAttribute("aria-label", "Change the plot");
  // The button is named after its plot, so that screen readers tell the menus apart.
  node.id = `plot-menu-${panel.id}`;
  title.id = `plot-title-${panel.id}`;
  node.setAttribute("aria-labelledby", `${node.id} ${title.id}`);
  node.setAttribute("aria-haspopup", "menu");
  node.addEventListener("click", () => openMenu(node, items(panel, store, range())));
  return node;
}

type Range = readonly [low: number, high: number];

function items(panel: Panel, store: Store, range: Range | undefined): MenuItem[] {
  const index = store.state.panels.peek().indexOf(panel);
  const replace = (change: Partial<Panel>) =>
    setPanels(store, (panels) => panels.map((each) => (each === panel ? { ...panel, ...change } : each)));
  const move = (by: number) =>
    setPanels(store, (panels) => {
      const rest = panels.filter((each) => each !== panel);
      const at = Math.max(0, index + by);
      return [...rest.slice(0, at), panel, ...rest.slice(at)];
    });
  const forTime: MenuItem[] = [
    { label: "show its spectrum", run: () => addPanel(store, { kind: "spectrum", quantities: panel.quantities }) },
    {
      label: panel.isLogarithmic === true ? "linear axis" : "logarithmic axis",
      run: () => replace({ isLogarithmic: panel.isLogarithmic !== true }),
    },
    ...rangeItem(panel, range, (limits) => {
      const { limits: _limits, ...rest } = panel;
      const changed = limits === undefined ? rest : { ...rest, limits };
      setPanels(store, (panels) => panels.map((each) => (each === panel ? changed : each)));
    }),
    ...(panel.quantities.length < 2
      ? []
      : [
          { label: "one plot per quantity", run: () => split(panel, store) },
          { label: "move a quantity to another plot", run: () => moveOne(panel, store) },
        ]),
  ];
  return [
    {
      label: "add a quantity to this plot",
      run: () => choose(store, (name) => replace({ quantities: [...panel.quantities, name] })),
    },
    ...(panel.kind === "time" ? forTime : []),
    {
      label: "plot it against a different quantity",
      run: () => choose(store, (name) => addPanel(store, { kind: "xy", quantities: [panel.quantities[0]!, name] })),
    },
    { label: "move up", run: () => move(-1) },
    { label: "move down", run: () => move(1) },
    { label: "remove this plot", run: () => setPanels(store, (panels) => panels.filter((each) => each !== panel)) },
  ];
}

function choose(store: Store, onChoice: (name: string) => void): void {
  void import("./quantity-chooser.ts").then(({ chooseQuantity }) => chooseQuantity(store, onChoice));
}

/**
 * Returns the item that fixes the vertical axis or, if the axis is fixed, the item that fits it to the shown values.
 */
function rangeItem(
  { limits }: Panel,
  range: Range | undefined,
  set: (limits: Range | undefined) => void,
): readonly MenuItem[] {
  if (limits !== undefined) return [{ label: "fit the axis to the values", run: () => set(undefined) }];
  return range === undefined ? [] : [{ label: "keep this range of the axis", run: () => set(range) }];
}

/** Lets the reader choose a quantity of a plot, and then the plot to which it moves. */
function moveOne(panel: Panel, store: Store): void {
  void import("./quantity-chooser.ts").then(({ chooseMove }) => chooseMove(store, panel));
}

function split(panel: Panel, store: Store): void {
  setPanels(store, (panels) => {
    const lastId = Math.max(...panels.map(({ id }) => id));
    const parts = panel.quantities.map((name, i) => ({ ...panel, id: lastId + 1 + i, quantities: [name] }));
    return panels.flatMap((each) => (each === panel ? parts : [each]));
  });
}
