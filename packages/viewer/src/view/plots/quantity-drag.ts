/**
 * Dragging a quantity by pointer from the legend of a plot, or from the list of quantities, onto a plot or below the
 * plots. The menu of a plot does the same by keyboard.
 */
import type { Store } from "../store/store.ts";
import { type MovedQuantity, placeQuantity } from "./panels-change.ts";

const TYPE = "application/x-escapement-quantity";

/** Attaches a quantity to a drag that begins. */
export function carryQuantity({ dataTransfer }: DragEvent, moved: MovedQuantity): void {
  if (dataTransfer === null) return;
  dataTransfer.setData(TYPE, JSON.stringify(moved));
  dataTransfer.effectAllowed = "copyMove";
}

/** Lets a quantity be dropped on an element: into the plot `toId`, or into a new plot if it is undefined. */
export function acceptQuantities(node: HTMLElement, store: Store, toId: number | undefined): void {
  const holdsQuantity = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(TYPE) === true;
  const mark = (isOver: boolean) => node.classList.toggle("drop-here", isOver);
  node.addEventListener("dragover", (event) => {
    if (!holdsQuantity(event)) return;
    event.preventDefault();
    mark(true);
  });
  node.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && node.contains(relatedTarget))) mark(false);
  });
  node.addEventListener("drop", (event) => {
    if (!holdsQuantity(event)) return;
    event.preventDefault();
    mark(false);
    placeQuantity(store, JSON.parse(event.dataTransfer!.getData(TYPE)) as MovedQuantity, toId);
  });
}
