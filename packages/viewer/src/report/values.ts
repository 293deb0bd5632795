/** The values at the cursor: of one flight with the lowest and highest within that second, or of two flights side by side. */
import type { FlightHead } from "./data.ts";
import { element, numberText } from "./elements.ts";
import { modeName } from "./modes.ts";
import type { Table } from "./table.ts";

interface ValueRow {
  readonly label: string;
  readonly column: string;
}

export class ValueTable {
  readonly node: HTMLElement;
  private readonly rows: readonly ValueRow[];
  private readonly tables: readonly Table[];
  private readonly time = element("b", "", "move over a plot");
  private readonly mode = element("span", "", "");
  private readonly cells: HTMLElement[][] = [];

  constructor({ rotors, columns, units }: FlightHead, tables: readonly Table[]) {
    this.tables = tables;
    this.rows = rowsOf(rotors).filter(({ column }) => columns.includes(column));
    const heads = tables.length > 1 ? ["", "a", "b", "b − a"] : ["", "now", "lowest", "highest"];
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
      element("p", "hint", tables.length > 1 ? "at the cursor" : "lowest and highest: within the second of the cursor"),
    );
  }

  show(t: number | undefined): void {
    // Keep the last values when the cursor leaves.
    if (t === undefined) return;
    this.time.textContent = `${t.toFixed(2)} s`;
    this.mode.textContent = this.tables
      .map((table) => table.at("mode", table.rowAt(t)))
      .map((mode) => (Number.isNaN(mode) ? "over" : modeName(mode)))
      .join(" / ");
    this.rows.forEach((row, i) => this.fill(this.cells[i]!, row, t));
  }

  private fill(cells: readonly HTMLElement[], { column }: ValueRow, t: number): void {
    const [a, b] = this.tables.map((table) => table.at(column, table.rowAt(t)));
    const second = Math.floor(t);
    const texts = b === undefined ? [a, ...(this.tables[0]!.range(column, second, second + 1) ?? [])] : [a, b, b - a!];
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
    row("altitude set", "setAltitude"),
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
