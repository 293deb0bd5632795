/** Undoable changes to the list of plots. */
import type { Panel } from "../store/state.ts";
import type { Store } from "../store/store.ts";

export function setPanels({ state, history }: Store, change: (panels: readonly Panel[]) => readonly Panel[]): void {
  const before = state.panels.peek();
  const after = change(before);
  const set = (panels: readonly Panel[]) => (state.panels.value = panels);
  set(after);
  history.add({ label: "change the plots", undo: () => set(before), redo: () => set(after) });
}

export function addPanel(store: Store, panel: Omit<Panel, "id">): void {
  setPanels(store, (panels) => [...panels, { ...panel, id: nextId(panels) }]);
}

/** A quantity that is moved to a plot, and the plot that it leaves, if any. */
export interface MovedQuantity {
  readonly quantity: string;
  readonly fromId?: number;
}

/**
 * Moves a quantity to the plot `toId`, or to a new plot below the other plots if `toId` is undefined. In a plot of one
 * quantity against another, it becomes the vertical axis. A plot that loses its last quantity is removed.
 */
export function placeQuantity(store: Store, { quantity, fromId }: MovedQuantity, toId: number | undefined): void {
  if (fromId !== undefined && fromId === toId) return;
  setPanels(store, (panels) => {
    const left = panels.map((panel) => (panel.id === fromId ? withoutQuantity(panel, quantity) : panel));
    const placed = left.map((panel) => (panel.id === toId ? withQuantity(panel, quantity) : panel));
    const newPanel: Panel = { id: nextId(panels), kind: "time", quantities: [quantity] };
    return [...placed.filter(({ quantities }) => quantities.length > 0), ...(toId === undefined ? [newPanel] : [])];
  });
}

function withoutQuantity(panel: Panel, quantity: string): Panel {
  return { ...panel, quantities: panel.quantities.filter((name) => name !== quantity) };
}

function withQuantity(panel: Panel, quantity: string): Panel {
  if (panel.kind === "xy") return { ...panel, quantities: [panel.quantities[0]!, quantity] };
  return panel.quantities.includes(quantity) ? panel : { ...panel, quantities: [...panel.quantities, quantity] };
}

function nextId(panels: readonly Panel[]): number {
  return 1 + Math.max(0, ...panels.map(({ id }) => id));
}
