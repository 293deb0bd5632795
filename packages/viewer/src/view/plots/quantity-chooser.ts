/** Lets the reader choose a quantity by typing a part of its name. */
import { openChooser } from "../help/chooser.ts";
import type { Store } from "../store/store.ts";
import { seriesOf } from "../data/series.ts";
import type { Panel } from "../store/state.ts";
import { addPanel, placeQuantity } from "./panels-change.ts";
import { panelTitle } from "./panels.ts";
import { carryQuantity } from "./quantity-drag.ts";

/** Lets the reader choose a quantity, and adds a plot of it. */
export function addQuantity(store: Store): void {
  chooseQuantity(store, (name) => addPanel(store, { kind: "time", quantities: [name] }));
}

export function chooseQuantity(store: Store, onChoice: (name: string) => void): void {
  const flight = store.state.active.peek();
  if (flight === undefined) return;
  const series = seriesOf(flight.rows.peek());
  openChooser({
    title: "Add a quantity",
    placeholder: "altitude, roll, motorCommand, d/dt climb, norm velNed, altitude - setAltitude …",
    choices: [...series.quantities.values()].map(({ name, label, unit, group, about }) => ({
      id: name,
      label: group === "flight" ? label : name,
      detail: [unit, group === "flight" ? name : about].filter((text) => text !== "").join(" · "),
      group,
    })),
    // Derived quantities are not in the list, so the reader types them.
    free: (text) => (series.get(text) === undefined ? undefined : text),
    onDrag: (quantity, event) => carryQuantity(event, { quantity }),
    onChoice,
  });
}

/** Lets the reader choose a quantity of a plot, and then the plot to which it moves. */
export function chooseMove(store: Store, panel: Panel): void {
  const rows = store.state.active.peek()?.rows.peek();
  if (rows === undefined) return;
  const labelOf = (name: string) => seriesOf(rows).get(name)?.quantity.label ?? name;
  const others = store.state.panels.peek().filter((each) => each !== panel);
  const choosePlot = (quantity: string) =>
    openChooser({
      title: `Move ${labelOf(quantity)}`,
      placeholder: "to which plot?",
      choices: [
        ...others.map((each) => ({ id: String(each.id), label: panelTitle(each, labelOf) })),
        { id: "new", label: "a new plot" },
      ],
      onChoice: (to) => placeQuantity(store, { quantity, fromId: panel.id }, to === "new" ? undefined : Number(to)),
    });
  openChooser({
    title: "Move a quantity",
    placeholder: "which quantity?",
    choices: panel.quantities.map((name) => ({ id: name, label: labelOf(name) })),
    onChoice: choosePlot,
  });
}
