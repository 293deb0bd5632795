/** A table of the values at the cursor, with the lowest and the highest value within the same second. */
import type { FlightHead } from "./data.ts";
import { element, numberText } from "../shared/elements.ts";
import { modeName } from "../shared/modes.ts";
import type { Table } from "./table.ts";

interface ValueRow {
  readonly label: string;
  readonly column: string;
}

export class ValueTable {
  readonly node: HTMLElement;
  private readonly rows: readonly ValueRow[];
  private readonly source: Table;
  private readonly time = element("b", "", "move over a plot");
  private readonly mode = element("span", "", "");
  private readonly cells: HTMLElement[][] = [];

  constructor({ rotors, columns, units }: FlightHead, source: Table) {
    this.source = source;
    this.rows = rowsOf(rotors).filter(({ column }) => columns.includes(column));
    const heads = ["", "now", "lowest", "highest"];
    const body = this.rows.map(({ label, column }) => {
      const cells = heads.slice(1).map(() => element("td", "", "—"));
      this.cells.push(cells);
      return element("tr", "", element("th", "", label, element("small", "", units[column]!)), ...cells);
    });
    this.node = element(
      "aside",
      "values",
      element("p", "when", this.time, " ", this.mode),
      element(
        "table",
        "",
        element("thead", "", element("tr", "", ...heads.map((head) => element("th", "", head)))),
        element("tbody", "", ...body),
      ),
      element("p", "hint", "lowest and highest: within the second of the cursor"),
    );
  }

  show(t: number | undefined): void {
    // Keep the last values when the cursor leaves the plots.
    if (t === undefined) return;
    this.time.textContent = `${t.toFixed(2)} s`;
    this.mode.textContent = modeName(this.source.at("mode", this.source.rowAt(t)));
    this.rows.forEach((row, i) => this.fill(this.cells[i]!, row, t));
  }

  private fill(cells: readonly HTMLElement[], { column }: ValueRow, t: number): void {
    const second = Math.floor(t);
    const now = this.source.at(column, this.source.rowAt(t));
    const texts = [now, ...(this.source.range(column, second, second + 1) ?? [])];
    cells.forEach((cell, i) => {
      cell.textContent = numberText(texts[i]);
    });
  }
}

function rowsOf(rotors: number): ValueRow[] {
  const row = (label: string, column: string): ValueRow => ({ label, column });
  return [
    row("north", "north"),
    row("east", "east"),
    row("altitude", "altitude"),
    row("altitude setpoint", "setAltitude"),
    row("position error", "error"),
    row("speed", "groundSpeed"),
    row("climb", "climb"),
    row("roll", "att0"),
    row("pitch", "att1"),
    row("yaw", "att2"),
    ...Array.from({ length: rotors }, (_, i) => row(`motor ${i + 1}`, `motor${i}`)),
    row("voltage", "voltage0"),
    row("current", "current0"),
    row("charge", "remaining0"),
    row("wind north", "wind0"),
    row("wind east", "wind1"),
    row("wind down", "wind2"),
  ];
}
