/** The commands of the page that are not tools of the rail: time, camera, flights, panels. */
import { batch } from "@preact/signals-core";
import type { Command, Commands } from "./commands.ts";
import { makeIndependent, toggleHidden } from "./flights/flight-changes.ts";
import { changePathColouring } from "./path-legend.ts";
import { CAMERA_MODES } from "./store/state.ts";
import { parseTime } from "./store/playhead.ts";
import type { Store } from "./store/store.ts";
import type { ViewFlight } from "./store/view-flight.ts";
import { moveSpan, zoomSpan } from "./timeline/time-scale.ts";

type Group = Command["group"];

/** Parts of the page that the commands need. */
interface PageParts {
  readonly moveCamera: (azimuth: number, elevation: number, factor?: number) => void;
  readonly frameAll: () => void;
  readonly savePicture: () => void;
  readonly toggleFilm: () => void;
  readonly describe: () => void;
  readonly openHelp: () => void;
  readonly openPalette: () => void;
  readonly openFiles: () => void;
  readonly openShare: () => void;
  readonly addQuantity: () => void;
  readonly goHome: () => void;
  readonly askTime: (onText: (text: string) => void) => void;
  readonly askName: (present: string, onText: (text: string) => void) => void;
  readonly askSeeds: (onText: (text: string) => void) => void;
  readonly saveText: () => void;
}

const SECOND_US = 1_000_000;
const TURN_DEG = 10;

export function addPageCommands(commands: Commands, store: Store, parts: PageParts): void {
  const { state, history } = store;
  const add = (group: Group, id: string, label: string, keys: readonly string[], run: () => void) =>
    commands.add({ id, label, keys, group, run });
  addTime(store, add, parts);
  add("view", "camera", "next camera", ["V"], () => {
    const next = (CAMERA_MODES.indexOf(state.camera.peek().mode) + 1) % CAMERA_MODES.length;
    state.camera.value = { ...state.camera.peek(), mode: CAMERA_MODES[next]! };
  });
  add("view", "frame", "frame everything", ["F"], parts.frameAll);
  add("view", "turn-left", "turn the camera left", ["Alt+ArrowLeft"], () => parts.moveCamera(-TURN_DEG, 0));
  add("view", "turn-right", "turn the camera right", ["Alt+ArrowRight"], () => parts.moveCamera(TURN_DEG, 0));
  add("view", "turn-up", "raise the camera", ["Alt+ArrowUp"], () => parts.moveCamera(0, TURN_DEG));
  add("view", "turn-down", "lower the camera", ["Alt+ArrowDown"], () => parts.moveCamera(0, -TURN_DEG));
  add("view", "closer", "move the camera closer", ["+", "="], () => parts.moveCamera(0, 0, 0.8));
  add("view", "farther", "move the camera away", ["-"], () => parts.moveCamera(0, 0, 1.25));
  add("view", "describe", "describe the scene in words", ["D"], parts.describe);
  add("view", "quality", "draw the scene in full, or as fast as possible", ["Q"], () => {
    state.isSceneFull.value = !state.isSceneFull.peek();
  });
  add("view", "hud", "show or hide the HUD", ["U"], () => (state.isHudShown.value = !state.isHudShown.peek()));
  add(
    "view",
    "plots",
    "show or hide the plots",
    ["\\"],
    () => (state.arePlotsShown.value = !state.arePlotsShown.peek()),
  );
  add("view", "path-colours", "change the colours of the path", ["Shift+C"], () => changePathColouring(state));
  add("view", "add-quantity", "add a quantity to the plots", ["A"], parts.addQuantity);
  add("view", "zoom-in", "zoom into time", ["Ctrl+ArrowUp"], () => zoomSpan(state, state.nowUs.peek(), 0.5));
  add("view", "zoom-out", "zoom out of time", ["Ctrl+ArrowDown"], () => zoomSpan(state, state.nowUs.peek(), 2));
  add("view", "span-back", "show earlier times", ["Ctrl+ArrowLeft"], () => moveSpan(state, -0.25));
  add("view", "span-forward", "show later times", ["Ctrl+ArrowRight"], () => moveSpan(state, 0.25));
  add("view", "span-all", "show the whole flight", ["0"], () => (state.span.value = undefined));
  addFlights(store, add, parts);
  addComparison(store, add);
  add(
    "page",
    "editor",
    "edit the description of the flight",
    ["E"],
    () => (state.isEditorOpen.value = !state.isEditorOpen.peek()),
  );
  add("page", "open", "open a file", ["O"], parts.openFiles);
  add("page", "share", "share this flight", ["Y"], parts.openShare);
  add("page", "save", "save the description", ["Ctrl+S"], parts.saveText);
  add("page", "picture", "save a picture of the scene", ["Shift+S"], parts.savePicture);
  add("page", "film", "start or stop a video", ["Shift+F"], parts.toggleFilm);
  add("page", "undo", "undo", ["Ctrl+Z"], () => history.undo());
  add("page", "redo", "redo", ["Ctrl+Y", "Ctrl+Shift+Z"], () => history.redo());
  add("page", "theme", "dark or light", [], () => {
    state.theme.value = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
  });
  add("page", "home", "go to the start page", [], parts.goHome);
  add("page", "palette", "find a command", ["Ctrl+K"], parts.openPalette);
  add("page", "help", "keys and help", ["?"], parts.openHelp);
}

type Add = (group: Group, id: string, label: string, keys: readonly string[], run: () => void) => void;

function addTime({ state, playhead }: Store, add: Add, parts: PageParts): void {
  const step = (direction: -1 | 1, unit: "row" | "tick" | "boundary") => () => void playhead.step(direction, unit);
  const by = (us: number) => () => {
    playhead.pause();
    playhead.goTo(state.nowUs.peek() + us);
  };
  add("time", "play", "play or pause", ["Space"], () => playhead.toggle());
  add("time", "reverse", "play backwards or forwards", ["Shift+Space"], () => {
    state.isReversed.value = !state.isReversed.peek();
    playhead.play();
  });
  add("time", "row-back", "one log row back", [","], step(-1, "row"));
  add("time", "row-forward", "one log row forward", ["."], step(1, "row"));
  add("time", "tick-back", "one autopilot tick back", ["Ctrl+,"], step(-1, "tick"));
  add("time", "tick-forward", "one autopilot tick forward", ["Ctrl+."], step(1, "tick"));
  add("time", "boundary-back", "one boundary back", ["Alt+,"], step(-1, "boundary"));
  add("time", "boundary-forward", "one boundary forward", ["Alt+."], step(1, "boundary"));
  add("time", "second-back", "1 s back", ["ArrowLeft"], by(-SECOND_US));
  add("time", "second-forward", "1 s forward", ["ArrowRight"], by(SECOND_US));
  add("time", "seconds-back", "10 s back", ["Shift+ArrowLeft"], by(-10 * SECOND_US));
  add("time", "seconds-forward", "10 s forward", ["Shift+ArrowRight"], by(10 * SECOND_US));
  add("time", "start", "go to the start", ["Home"], () => playhead.goTo(0));
  add("time", "end", "go to the end, or to the live edge", ["End"], () => {
    const isLive = state.active.peek()?.head.peek()?.origin === "live" && state.active.peek()?.end.peek() === undefined;
    batch(() => {
      state.isLive.value = isLive;
      playhead.goTo(Infinity);
    });
  });
  addMarks({ state, playhead }, add);
  add("time", "go-to", "go to a time", ["T"], () =>
    parts.askTime((text) => {
      const tUs = parseTime(text, state.nowUs.peek());
      if (tUs !== undefined) playhead.goTo(tUs);
    }),
  );
}

/** Adds the commands for pace, events, and the marks a and b. */
function addMarks({ state, playhead }: Pick<Store, "state" | "playhead">, add: Add): void {
  add("time", "slower", "slower", ["<"], () => playhead.changePace(-1));
  add("time", "faster", "faster", [">"], () => playhead.changePace(1));
  add("time", "next-event", "next event", ["N"], () => playhead.stepEvent(1));
  add("time", "previous-event", "previous event", ["Shift+N"], () => playhead.stepEvent(-1));
  add("time", "next-trouble", "next warning", ["X"], () => playhead.stepEvent(1, "warnings"));
  add(
    "time",
    "mark-a",
    "set mark a here",
    ["["],
    () => (state.marks.value = { ...state.marks.peek(), aUs: state.nowUs.peek() }),
  );
  add(
    "time",
    "mark-b",
    "set mark b here",
    ["]"],
    () => (state.marks.value = { ...state.marks.peek(), bUs: state.nowUs.peek() }),
  );
  add(
    "time",
    "loop",
    "play the marked span in a loop",
    ["Shift+L"],
    () => (state.isLooping.value = !state.isLooping.peek()),
  );
}

function addFlights(store: Store, add: Add, parts: PageParts): void {
  const { state } = store;
  const withActive = (run: (id: number) => void) => () => {
    const id = state.activeId.peek();
    if (id !== undefined) run(id);
  };
  for (let n = 1; n <= 9; n += 1) {
    add("flights", `flight-${n}`, `flight ${n}`, [String(n)], () => {
      const flight = state.flights.peek()[n - 1];
      if (flight !== undefined) store.activate(flight.id);
    });
  }
  add(
    "flights",
    "reference",
    "make this flight the ghost",
    ["Shift+G"],
    withActive((id) => store.setReference(id)),
  );
  add("flights", "seeds", "fly it with other seeds …", ["Shift+V"], () => {
    if (state.active.peek()?.head.peek()?.canBranch !== true) return;
    parts.askSeeds((text) => void import("./flights/seeds.ts").then(({ flySeeds }) => flySeeds(store, Number(text))));
  });
  add("flights", "rename", "rename this flight", ["F2"], () => {
    const flight = state.active.peek();
    if (flight !== undefined) parts.askName(flight.name.peek(), (text) => store.rename(flight.id, text));
  });
  add(
    "flights",
    "bookmark",
    "branch here without a change",
    ["Shift+B"],
    () => void store.inject([], `copy at ${(state.nowUs.peek() / 1e6).toFixed(1)} s`),
  );
  add(
    "flights",
    "remove",
    "remove this flight",
    ["Delete"],
    withActive((id) => store.remove(id)),
  );
  add(
    "flights",
    "fly-on",
    "fly on beyond the limit",
    ["Shift+End"],
    withActive((id) => store.reach(id)),
  );
}

/** Adds the commands that compare flights. */
function addComparison(store: Store, add: Add): void {
  const { state } = store;
  const withActive = (run: (flight: ViewFlight) => void) => () => {
    const flight = state.active.peek();
    if (flight !== undefined) run(flight);
  };
  add("flights", "compare", "compare the flights", ["C"], () => (state.isComparing.value = !state.isComparing.peek()));
  add(
    "flights",
    "hide",
    "hide or show this flight",
    ["Shift+H"],
    withActive((flight) => toggleHidden(store, flight)),
  );
  add(
    "flights",
    "make-root",
    "make this branch independent",
    ["Shift+R"],
    withActive((flight) => makeIndependent(store, flight)),
  );
  add(
    "flights",
    "differences",
    "plot the differences",
    ["Shift+D"],
    () => (state.areDifferencesShown.value = !state.areDifferencesShown.peek()),
  );
  add("flights", "align", "align by time, fork or first motion", ["Shift+A"], () => {
    const ways = ["time", "fork", "motion"] as const;
    const at = ways.findIndex((by) => by === state.alignment.peek().by);
    state.alignment.value = { by: ways[(at + 1) % ways.length]! };
  });
}
