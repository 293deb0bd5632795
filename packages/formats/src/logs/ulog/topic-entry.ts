/** One topic of a flight, before its fields are bound to columns. */
import type { Cell, Finder } from "./cells.ts";
import type { Cells, MessageName } from "./messages.ts";

export interface Entry<M extends MessageName> {
  readonly message: M;
  readonly topic?: string;
  readonly everyUs?: number;
  readonly onChange?: true;
  readonly when?: Cell;
  readonly fields: Cells<M>;
}

/** Adds a topic if the flight has every column that it needs. */
export type Add = <M extends MessageName>(make: (from: Finder) => Entry<M> | readonly Entry<M>[]) => void;
