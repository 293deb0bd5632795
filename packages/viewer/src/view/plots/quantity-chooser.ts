/** Lets the reader choose a quantity by typing a part of its name. */
import { openChooser } from "../help/chooser.ts";
import type { Store } from "../store/store.ts";
import { seriesOf } from "../data/series.ts";
import { addPanel } from "./panels-change.ts";

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
    onChoice,
  });
}
