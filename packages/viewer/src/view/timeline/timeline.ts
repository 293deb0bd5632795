/** The timeline: playback buttons and the list of flights on the left, the time axis with the lanes on the right. */
import { effect } from "@preact/signals-core";
import { element } from "../../shared/elements.ts";
import type { Commands } from "../commands.ts";
import type { Frame } from "../frame.ts";
import { openFlightMenu } from "../flights/flight-menu.ts";
import { makeFlightList } from "../flights/flight-list.ts";
import { iconButton } from "../flights/icon-button.ts";
import { icon } from "../icons.ts";
import type { Store } from "../store/store.ts";
import { TimeTrack } from "./track.ts";

export function makeTimeline(store: Store, frame: Frame, commands: Commands, isDark: () => boolean): HTMLElement {
  const track = new TimeTrack(store, frame, isDark);
  const list = makeFlightList(store, isDark);
  const node = element("section", "timeline", transport(store, commands), track.node, list);
  node.setAttribute("aria-label", "Timeline");
  // The list and the lanes scroll together.
  list.addEventListener("scroll", () => (track.lanePlace.scrollTop = list.scrollTop));
  track.lanePlace.addEventListener("scroll", () => (list.scrollTop = track.lanePlace.scrollTop));
  // A new lane makes the canvas taller only when it is drawn, so restore the scroll position then.
  new ResizeObserver(() => (track.lanePlace.scrollTop = list.scrollTop)).observe(track.lanePlace.firstElementChild!);
  return node;
}

function transport(store: Store, commands: Commands): HTMLElement {
  const { state } = store;
  const play = iconButton("play", "Play", () => commands.run("play"));
  const pace = element("button", "pace", "1×");
  pace.addEventListener("click", () => commands.run("faster"));
  effect(() => {
    const isPlaying = state.isPlaying.value;
    play.replaceChildren(icon(isPlaying ? "pause" : "play"));
    play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    play.title = `${isPlaying ? "Pause" : "Play"} (Space)`;
  });
  effect(() => {
    const text = paceText(state.pace.value);
    pace.textContent = `${state.isReversed.value ? "−" : ""}${text}`;
    pace.setAttribute("aria-label", `Pace ${text}`);
    pace.title = "Pace (< slower, > faster)";
  });
  const more = iconButton("more", "This flight: rename, hide, remove …", () => {
    const flight = state.active.peek();
    if (flight !== undefined) openFlightMenu(more, flight, store);
  });
  more.setAttribute("aria-haspopup", "menu");
  const live = element("span", "live-badge", "live");
  effect(() => {
    live.hidden = !state.isLive.value;
  });
  return element(
    "div",
    "transport",
    iconButton("start", "Go to the start", () => commands.run("start"), "Home"),
    play,
    iconButton("back", "One log row back", () => commands.run("row-back"), ","),
    iconButton("forward", "One log row forward", () => commands.run("row-forward"), "."),
    live,
    pace,
    more,
  );
}

function paceText(pace: number): string {
  return pace >= 1 ? `${pace}×` : `1/${Math.round(1 / pace)}×`;
}
