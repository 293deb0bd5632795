/** The palette: a chooser in which commands, flights and quantities are found by a part of their name. */
import { type Commands, keyText } from "../commands.ts";
import { addPanel } from "../plots/panels-change.ts";
import { START_FLIGHTS } from "../start/start.ts";
import type { Store } from "../store/store.ts";
import { openChooser } from "./chooser.ts";

export function openPalette(commands: Commands, store: Store): void {
  const choices = commands.list
    .filter(({ id }) => !/^flight-\d$/.test(id))
    .map(({ id, label, keys: [key], group }) => ({
      id,
      label,
      group,
      ...(key === undefined ? {} : { key: keyText(key) }),
    }));
  const flights = store.state.flights.peek().map((flight) => ({
    id: `go ${flight.id}`,
    label: flight.name.peek(),
    group: "flight",
  }));
  const builtIn = START_FLIGHTS.map((name) => ({
    id: `open ${name}`,
    label: `open ${name}`,
    group: "built-in flight",
  }));
  const series = store.state.active.peek()?.series.peek();
  const quantities = [...(series?.quantities.values() ?? [])]
    .filter(({ group }) => group === "flight")
    .map(({ name, label, unit }) => ({ id: `plot ${name}`, label: `plot ${label}`, detail: unit, group: "quantity" }));
  openChooser({
    title: "Find a command",
    placeholder: "play, gust, next event, share, plot altitude …",
    choices: [...choices, ...flights, ...quantities, ...builtIn],
    onChoice: (id) => {
      const [, kind, name = ""] = /^(go|open|plot) (.+)$/.exec(id) ?? [];
      if (kind === "go") store.activate(Number(name));
      else if (kind === "open") void store.openBuiltIn(name);
      else if (kind === "plot") addPanel(store, { kind: "time", quantities: [name] });
      else commands.run(id);
    },
  });
}
