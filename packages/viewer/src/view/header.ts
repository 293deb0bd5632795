/** The bar at the top: the path to the flight, its outcome, its fingerprint, and buttons. */
import { effect } from "@preact/signals-core";
import { element } from "../shared/elements.ts";
import type { Commands } from "./commands.ts";
import { outcomeText } from "./flights/flight-list.ts";
import { iconButton, keyHint } from "./flights/icon-button.ts";
import { openMenu } from "./help/menu.ts";
import { icon, type IconName } from "./icons.ts";
import type { ViewState } from "./store/state.ts";
import type { Store } from "./store/store.ts";
import type { ViewFlight } from "./store/view-flight.ts";

interface Action {
  readonly command: string;
  readonly label: string;
  readonly key: string;
  readonly className?: string;
  readonly icon?: IconName;
}

const ACTIONS: readonly Action[] = [
  { command: "undo", label: "Undo", key: "Ctrl+Z", className: "only-icon", icon: "undo" },
  { command: "editor", label: "Describe", key: "E" },
  { command: "compare", label: "Compare", key: "C" },
  { command: "open", label: "Open…", key: "O" },
  { command: "theme", label: "Dark or light", key: "", className: "only-icon", icon: "theme" },
  { command: "help", label: "Help", key: "?", className: "only-icon", icon: "help" },
  { command: "share", label: "Share", key: "", className: "primary" },
];

/** Commands that need a flight, so the start page hides them. */
const NEEDS_FLIGHT = ["undo", "editor", "compare", "share"];

export function makeHeader(store: Store, commands: Commands): HTMLElement {
  const { state } = store;
  const title = element("h1", "");
  const chip = element("p", "chip outcome-chip");
  const fingerprint = element("p", "chip print-chip");
  const home = element("button", "brand", icon("logo") as unknown as HTMLElement, element("b", "", "Escapement"));
  home.setAttribute("aria-label", "Escapement: start page");
  home.addEventListener("click", () => commands.run("home"));
  effect(() => {
    const flight = state.active.value;
    title.replaceChildren(...crumbs(flight, store));
    chip.hidden = flight === undefined;
    fingerprint.hidden = flight === undefined;
    if (flight === undefined) return;
    showOutcome(chip, flight, state);
    showFingerprint(fingerprint, flight);
  });
  const buttons = [...ACTIONS.map((action) => actionButton(action, store, commands)), overflow(commands)];
  return element("header", "bar", home, title, chip, fingerprint, element("span", "grow"), ...buttons);
}

function actionButton(
  { command, label, key, className = "", icon: name }: Action,
  store: Store,
  commands: Commands,
): HTMLElement {
  const node = element("button", `bar-button ${className}`.trim());
  if (name === undefined) node.append(element("span", "", label), ...(key === "" ? [] : [keyHint(key)]));
  else node.append(icon(name));
  // A button with text needs no label, because its text names it.
  if (name !== undefined) node.setAttribute("aria-label", label);
  node.title = key === "" ? label : `${label} (${key})`;
  node.dataset["command"] = command;
  node.addEventListener("click", () => commands.run(command));
  const { state } = store;
  effect(() => {
    if (command === "undo") (node as HTMLButtonElement).disabled = !state.canUndo.value;
    if (NEEDS_FLIGHT.includes(command)) node.hidden = state.active.value === undefined;
    if (command === "editor") node.setAttribute("aria-pressed", String(state.isEditorOpen.value));
    if (command === "compare") node.setAttribute("aria-pressed", String(state.isComparing.value));
  });
  return node;
}

/** Builds the menu that replaces the buttons on a small screen. */
function overflow(commands: Commands): HTMLElement {
  const node = iconButton("more", "More", () =>
    openMenu(
      node,
      ACTIONS.filter(({ command }) => command !== "share").map(({ command, label }) => ({
        label,
        run: () => commands.run(command),
      })),
    ),
  );
  node.classList.add("overflow");
  node.setAttribute("aria-haspopup", "menu");
  return node;
}

/** Builds the path to a flight, e.g. `flights / mission / gust 9 m/s`. */
function crumbs(flight: ViewFlight | undefined, { state }: Store): (HTMLElement | string)[] {
  if (flight === undefined) return [element("b", "", "Flights")];
  const parents: ViewFlight[] = [];
  let at: ViewFlight | undefined = flight;
  while (at !== undefined) {
    parents.unshift(at);
    const parent: number | undefined = at.fork.value?.parent;
    at = parent === undefined ? undefined : state.flight(parent);
  }
  const name = parents[0]!.head.value?.name ?? parents[0]!.name.value;
  const rest = parents.slice(1).map((each) => each.name.value);
  const path: (HTMLElement | string)[] = [element("span", "root", "flights / "), element("b", "", name)];
  if (rest.length > 2) path.push(" / …");
  for (const each of rest.slice(-2)) path.push(` / ${each}`);
  return path;
}

function showOutcome(chip: HTMLElement, flight: ViewFlight, state: ViewState): void {
  const { short, long, isBad } = outcomeText(flight, state);
  const isOver = flight.end.value !== undefined && flight.head.value?.origin !== "log";
  chip.replaceChildren(
    element("i", isBad ? "dot bad" : isOver ? "dot good" : "dot"),
    element("span", "only-phone", short),
    element("span", "not-phone", long),
  );
  chip.title = long;
}

function showFingerprint(chip: HTMLElement, flight: ViewFlight): void {
  const end = flight.end.value;
  const verified = flight.verification.value;
  chip.hidden = end === undefined || end.fingerprint === "";
  if (end === undefined) return;
  const isWrong = verified !== undefined && verified.is !== "same" && verified.is !== "pending";
  const mark = element("span", isWrong ? "bad" : "good", isWrong ? "✗" : "✓");
  chip.replaceChildren(mark, element("code", "", end.fingerprint));
  chip.title = verificationText(flight);
}

/** Explains the fingerprint in one sentence. */
export function verificationText(flight: ViewFlight): string {
  const verified = flight.verification.value;
  if (verified === undefined)
    return "The fingerprint of this flight. Flying the same description always gives the same one.";
  switch (verified.is) {
    case "same":
      return "Verified: this flight has the expected fingerprint.";
    case "pending":
      return "The flight has not ended yet; its fingerprint is compared at the end.";
    case "other flight":
      return `A different flight: this version resolves the description differently${
        verified.sections.length === 0 ? "" : ` (${verified.sections.join(", ")})`
      }. Expected ${verified.expected.fingerprint}.`;
    case "different bits":
      return `The same description gave different bits, which is a defect. Expected ${verified.expected.fingerprint}.`;
  }
}
