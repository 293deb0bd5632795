/** Undoable changes to one flight of the page. */
import type { Fork } from "../protocol.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";

/** Hides a flight from the scene and the plots, or shows it again. */
export function toggleHidden({ history }: Store, { isHidden, name }: ViewFlight): void {
  const before = isHidden.peek();
  const set = (to: boolean) => (isHidden.value = to);
  set(!before);
  const label = `${before ? "show" : "hide"} ${name.peek()}`;
  history.add({ label, undo: () => set(before), redo: () => set(!before) });
}

/** Makes a branch an independent flight. It keeps its rows before the fork. */
export function makeIndependent({ history }: Store, { fork, name }: ViewFlight): void {
  const before = fork.peek();
  if (before === undefined) return;
  const set = (to: Fork | undefined) => (fork.value = to);
  set(undefined);
  history.add({ label: `make ${name.peek()} independent`, undo: () => set(before), redo: () => set(undefined) });
}
