/** The plots that a new page shows, and the titles of plots. */
import { numberText } from "../../shared/elements.ts";
import { modeName } from "../../shared/modes.ts";
import type { Quantity } from "../data/quantities.ts";
import type { FlightHead } from "../protocol.ts";
import type { Panel } from "../store/state.ts";

const TITLES: readonly (readonly [title: string, quantities: RegExp])[] = [
  ["Altitude", /^(?:altitude|setAltitude)$/],
  ["Attitude", /^(?:att[01]|setAtt[01])$/],
  ["Heading", /^(?:att2|setAtt2)$/],
  ["Ground speed", /^(?:groundSpeed|setGroundSpeed)$/],
  ["Climb", /^(?:climb|setClimb)$/],
  ["Position error", /^error$/],
  ["Estimate error", /^estimateError$/],
  ["Position", /^(?:north|east|setNorth|setEast)$/],
  ["Rates", /^(?:rate|setRate)\d$/],
  ["Motor commands", /^motor\d+$/],
  ["Rotor speeds", /^rotor\d+$/],
  ["Battery voltage", /^voltage\d+$/],
  ["Battery current", /^current\d+$/],
  ["Charge", /^remaining\d+$/],
  ["Wind", /^wind\d$/],
];

/** Returns the plots of a new page, which are those that pilots need first. */
export function firstPanels({ rotors }: Pick<FlightHead, "rotors">): Panel[] {
  const lists = [
    ["altitude", "setAltitude"],
    ["att0", "att1"],
    ["groundSpeed"],
    ["error"],
    Array.from({ length: rotors }, (_, i) => `motor${i}`),
  ];
  return lists
    .filter((quantities) => quantities.length > 0)
    .map((quantities, i) => ({ id: i + 1, kind: "time", quantities }));
}

/** Returns the title of a plot: the name of its group of quantities, or the names of its quantities. */
export function panelTitle({ kind, quantities }: Panel, labelOf: (name: string) => string): string {
  const labels = quantities.map(labelOf);
  if (kind === "xy") return `${capital(labels[1] ?? "")} over ${labels[0] ?? ""}`;
  const known = TITLES.find(([, pattern]) => quantities.every((name) => pattern.test(name)))?.[0];
  const title = known ?? capital(labels.join(", "));
  return kind === "spectrum" ? `Spectrum of ${title.toLowerCase()}` : title;
}

/** Returns the name of a line in the legend, without words that the title already contains. */
export function lineLabel({ name, label }: Quantity): string {
  const motor = /^(?:motor|rotor)(\d+)$/.exec(name)?.[1];
  if (motor !== undefined) return String(Number(motor) + 1);
  if (name === "setAltitude") return "set";
  return name === "groundSpeed" ? "speed" : label;
}

/** Formats a value in about four characters; a mode is shown by name. */
export function valueText({ name, unit }: Pick<Quantity, "name" | "unit">, value: number): string {
  if (Number.isNaN(value)) return "–";
  if (name === "mode" || name === "navState[0]") return modeName(value);
  if (["enum", "mask", "flag", "index", "count"].includes(unit)) return String(value);
  // All values of a log column, such as `rateBody[0]`, can be small, so do not show them as zero.
  const isZero = !name.includes("[") && Math.abs(value) < 0.005;
  return numberText(isZero ? 0 : value, 2);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
