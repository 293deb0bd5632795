/** The start page: an introduction, a place to drop files, and the built-in flights with their tracks. */
import { effect } from "@preact/signals-core";
import { element } from "../../shared/elements.ts";
import type { Commands } from "../commands.ts";
import { icon } from "../icons.ts";
import type { Store } from "../store/store.ts";
import { FlightCard } from "./flight-card.ts";

/** Built-in flights; the most instructive ones come first. */
export const START_FLIGHTS = [
  "mission",
  "hover",
  "motor-out",
  "octa-motor-out",
  "gust",
  "battery-rtl",
  "step",
  "altitude-3000",
];

export function makeStart(store: Store, commands: Commands, isDark: () => boolean): HTMLElement {
  const choose = element("button", "", "choose files", element("kbd", "", "O"));
  choose.addEventListener("click", () => commands.run("open"));
  const heading = element("h2", "", "Fly something, then ", element("b", "", "change your mind"), ".");
  const lead =
    "This page flies a deterministic multirotor, with the same bits as the command‑line program. Go to any instant, add an event there, and compare both futures. Nothing leaves this computer.";
  const cards = START_FLIGHTS.map((name) => new FlightCard(name, store));
  const node = element(
    "main",
    "start",
    element(
      "div",
      "start-inner",
      heading,
      element("p", "lead", lead),
      element(
        "div",
        "drop",
        icon("open") as unknown as HTMLElement,
        element(
          "p",
          "",
          element("b", "", "Drop a file anywhere, or paste a link"),
          element("br", ""),
          "A recording (.mcap), a log (.ulg, .csv, .parquet, .h5), or a flight (.toml, .plan)",
        ),
        choose,
      ),
      element("h3", "", "Flights to start from"),
      element("ul", "flight-cards", ...cards.map((card) => element("li", "", card.node))),
    ),
  );
  effect(() => {
    void store.state.isDark.value;
    for (const card of cards) card.paint(isDark());
  });
  // The engine flies them one by one when it has nothing else to do.
  for (const card of cards) void card.sketch().then(() => card.paint(isDark()));
  return node;
}
