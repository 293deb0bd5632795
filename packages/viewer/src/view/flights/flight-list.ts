/** The list of flights with colour, letter, name and outcome, in the order of the lanes. */
import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { dashOf, flightColour, letterOf } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import type { ViewState } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { openFlightMenu } from "./flight-menu.ts";
import { type Lane, lanesOf } from "../timeline/lanes.ts";

export function makeFlightList(store: Store, isDark: () => boolean): HTMLElement {
  const node = element("div", "flight-list");
  node.setAttribute("role", "listbox");
  node.setAttribute("aria-label", "Flights");
  node.tabIndex = 0;
  const { state } = store;
  let shown = "";
  effect(() => {
    const lanes = lanesOf(state.flights.value, state.activeId.value);
    void state.isDark.value;
    render(
      lanes.map((lane) => row(lane, store, isDark())),
      node,
    );
    const active = state.activeId.value;
    // Measuring the list takes long, so measure it only if the flights change, and not whenever rows arrive.
    const key = [active, ...state.flights.value.map(({ id }) => id)].join();
    if (key !== shown) showActive(node);
    shown = key;
    if (active === undefined) node.removeAttribute("aria-activedescendant");
    else node.setAttribute("aria-activedescendant", `flight-${active}`);
  });
  node.addEventListener("keydown", (event) => moveBy(event, store));
  // A smaller page shows fewer flights; the active one stays in view.
  new ResizeObserver(() => showActive(node)).observe(node);
  return node;
}

/** Scrolls the list, and no element around it, to the active flight. */
function showActive(list: HTMLElement): void {
  const row = list.querySelector(".active")?.getBoundingClientRect();
  if (row === undefined) return;
  const place = list.getBoundingClientRect();
  if (row.top < place.top) list.scrollTop += row.top - place.top;
  if (row.bottom > place.bottom) list.scrollTop += row.bottom - place.bottom;
  if (row.left < place.left) list.scrollLeft += row.left - place.left;
  if (row.right > place.right) list.scrollLeft += row.right - place.right;
}

function row(lane: Lane, store: Store, isDark: boolean): TemplateResult {
  const { state } = store;
  const flight = lane.flights[0]!;
  const isActive = lane.flights.some(({ id }) => id === state.activeId.value);
  const isReference = flight.id === state.referenceId.value && !isActive;
  const name = lane.isSweep ? sweepName(lane.flights.map((each) => each.name.value)) : flight.name.value;
  const outcome = outcomeText(flight, state);
  return html`<div
    role="option"
    id=${`flight-${flight.id}`}
    class=${["flight", ...(isActive ? ["active"] : []), ...(flight.isHidden.value ? ["hidden-flight"] : [])].join(" ")}
    aria-selected=${isActive ? "true" : "false"}
    title=${`${name}: ${outcome.long}`}
    @click=${() => store.activate(flight.id)}
    @contextmenu=${(event: MouseEvent) => {
      event.preventDefault();
      openFlightMenu(event.currentTarget as HTMLElement, flight, store);
    }}
  >
    ${key(flight, isDark)}
    <span class="name">${name}</span>
    ${isReference ? html`<span class="tag" title="drawn as a ghost; the others are compared with it">ghost</span>` : nothing}
    <span class=${outcome.isBad ? "outcome bad" : "outcome"}>${flight.isHidden.value ? "hidden" : outcome.short}</span>
  </div>`;
}

/** Builds the flight's letter in its colour. A script sets it, because the page's policy forbids style attributes. */
function key(flight: ViewFlight, isDark: boolean): HTMLElement {
  const node = element("span", "key", letterOf(flight.slot));
  node.style.setProperty("--flight", flightColour(flight.slot, isDark));
  node.dataset["dashes"] = dashOf(flight.slot).join(" ");
  return node;
}

/** Names a sweep: `gust 6…19 m/s (4)` if the names differ only in one number, or else `gust 6 m/s and 3 more`. */
function sweepName(names: readonly string[]): string {
  const parts = names.map((name) => /^(.*?)(-?\d+(?:\.\d+)?)(\D*)$/.exec(name));
  const [first] = parts;
  const isAlike = parts.every((each) => each?.[1] === first?.[1] && each?.[3] === first?.[3]);
  if (names.length === 1) return names[0]!;
  if (!isAlike || first === undefined || first === null) return `${names[0]!} and ${names.length - 1} more`;
  const values = parts.map((each) => Number(each![2]));
  return `${first[1]!}${Math.min(...values)}…${Math.max(...values)}${first[3]!} (${names.length})`;
}

interface OutcomeText {
  readonly short: string;
  readonly long: string;
  readonly isBad: boolean;
}

export function outcomeText(flight: ViewFlight, { isByHand, activeId }: ViewState): OutcomeText {
  const end = flight.end.value;
  const fraction = flight.readFraction.value;
  if (fraction !== undefined) {
    const text = `reading — ${Math.round(100 * fraction)} %`;
    return { short: text, long: text, isBad: false };
  }
  // A log does not say whether its flight was completed.
  if (end !== undefined && flight.head.value?.origin === "log") {
    return { short: "log", long: `log of ${(end.endUs / 1e6).toFixed(1)} s`, isBad: false };
  }
  if (end !== undefined) {
    const isBad = end.outcome !== "completed";
    return { short: end.outcome, long: `${end.outcome} — ${end.reason}`, isBad };
  }
  // A flight by hand stops and starts all the time, because it is flown only just ahead of the playhead.
  if (isByHand.value && activeId.value === flight.id) return { short: "flying", long: "flown by hand", isBad: false };
  const flown = `flown to ${(flight.flownUs.value / 1e6).toFixed(1)} s`;
  switch (flight.state.value) {
    case "rejected": {
      const count = flight.errors.value.length;
      const text = count === 1 ? "1 error" : `${count} errors`;
      return { short: text, long: flight.errors.value[0]?.what ?? text, isBad: true };
    }
    case "waiting":
      return { short: "paused", long: `${flown}; press Shift+End to fly on`, isBad: false };
    case "opening":
      return { short: "opening", long: "opening", isBad: false };
    default:
      return { short: "flying", long: flown, isBad: false };
  }
}

function moveBy(event: KeyboardEvent, store: Store): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { state } = store;
  if (event.key === "Delete" && state.activeId.peek() !== undefined) return store.remove(state.activeId.peek()!);
  if (step === undefined) return;
  event.preventDefault();
  const flights = state.flights.peek();
  const index = flights.findIndex(({ id }) => id === state.activeId.peek());
  const next = flights[Math.max(0, Math.min(flights.length - 1, index + step))];
  if (next !== undefined) store.activate(next.id);
}
