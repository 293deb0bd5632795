/** Changes of one flight of the page, each a step that can be undone. */
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

/** Makes a branch a flight of its own. Its rows up to the fork stay. */
export function makeRoot({ history }: Store, { fork, name }: ViewFlight): void {
  const before = fork.peek();
  if (before === undefined) return;
  const set = (to: Fork | undefined) => (fork.value = to);
  set(undefined);
  history.add({ label: `detach ${name.peek()}`, undo: () => set(before), redo: () => set(undefined) });
}
