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
  const id = 1 + Math.max(0, ...store.state.panels.peek().map((each) => each.id));
  setPanels(store, (panels) => [...panels, { ...panel, id }]);
}
