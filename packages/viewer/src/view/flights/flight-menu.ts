/** The menu of a flight in the list. */
import { askText } from "../help/dialogs.ts";
import { openMenu } from "../help/menu.ts";
import type { Store } from "../store/store.ts";
import { makeIndependent, toggleHidden } from "./flight-changes.ts";
import type { ViewFlight } from "../store/view-flight.ts";

export function openFlightMenu(anchor: HTMLElement, flight: ViewFlight, store: Store): void {
  const { id, name, fork, isHidden } = flight;
  const isReference = store.state.referenceId.peek() === id;
  openMenu(anchor, [
    { label: "rename…", run: () => askText("Rename this flight", name.peek(), "", (text) => store.rename(id, text)) },
    { label: isHidden.peek() ? "show" : "hide", run: () => toggleHidden(store, flight) },
    {
      label: isReference ? "stop using as the ghost" : "make it the ghost",
      run: () => store.setReference(isReference ? undefined : id),
    },
    ...(fork.peek() === undefined
      ? []
      : [{ label: "make it an independent flight", run: () => makeIndependent(store, flight) }]),
    { label: "remove", run: () => store.remove(id) },
  ]);
}
