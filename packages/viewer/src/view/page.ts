/** Builds the page from its parts. */
import "../shared/language.ts";
import { computed, effect, untracked } from "@preact/signals-core";
import { element } from "../shared/elements.ts";
import { Commands } from "./commands.ts";
import { EditorPanel } from "./editor/editor-panel.ts";
import { Frame } from "./frame.ts";
import { makeHeader } from "./header.ts";
import { makeCards } from "./help/cards.ts";
import { askText, openHelp } from "./help/dialogs.ts";
import { describeInstant } from "./hud/hud.ts";
import { chooseFiles, listenToDrops } from "./open-files.ts";
import { addPageCommands } from "./page-commands.ts";
import type { TextFiles } from "./share/save-text.ts";
import type { MakeLink, PageSaves } from "./share/share.ts";
import { addSplitter } from "./splitter.ts";
import { Stage } from "./stage.ts";
import { makeStart } from "./start/start.ts";
import type { Store } from "./store/store.ts";
import { applyTheme } from "./theme.ts";
import { followPlayhead } from "./timeline/time-scale.ts";
import { makeTimeline } from "./timeline/timeline.ts";

/** What the page needs besides the store. */
interface PageOptions {
  readonly version: string;
  readonly makeLink: MakeLink;
  readonly openLink: (text: string) => Promise<boolean>;
  /** The server, if one serves the page and has answered. */
  readonly server: () => TextFiles | undefined;
}

/** Builds the page into an element. */
export function buildPage(root: HTMLElement, store: Store, { version, makeLink, openLink, server }: PageOptions): void {
  const { state } = store;
  applyTheme(state);
  const dark = () => state.isDark.value;
  const frame = new Frame();
  const commands = new Commands();
  const spoken = element("p", "sr-only");
  spoken.setAttribute("aria-live", "polite");
  const header = makeHeader(store, commands);
  const stage = new Stage(store, frame, commands, dark);
  const editor = new EditorPanel(store);
  const timeline = makeTimeline(store, frame, commands, dark);
  const side = element("aside", "side");
  side.setAttribute("aria-label", "Plots and events");
  const app = element("div", "app");
  addSplitter(side, { label: "Width of the plots", width: state.sideWidth, property: "--side-width", edge: "left" });
  addSplitter(editor.node, {
    label: "Width of the description",
    width: state.editorWidth,
    property: "--editor-width",
    edge: "right",
  });
  const saves = savesOf(stage, version);
  addPageCommands(commands, store, {
    ...saves,
    moveCamera: (azimuth, elevation, factor) => stage.moveCamera(azimuth, elevation, factor),
    frameAll: () => stage.frameAll(),
    describe: () => (spoken.textContent = describeInstant(state)),
    openHelp: () => openHelp(commands),
    openPalette: () => void import("./help/palette.ts").then(({ openPalette }) => openPalette(commands, store)),
    openFiles: () => chooseFiles(store),
    openShare: () => void import("./share/share.ts").then(({ openShare }) => openShare(store, makeLink, saves)),
    addQuantity: () => void import("./plots/quantity-chooser.ts").then(({ addQuantity }) => addQuantity(store)),
    goHome: () => (state.activeId.value = undefined),
    askTime: (onText) =>
      askText("Go to a time", (state.nowUs.peek() / 1e6).toFixed(3), "for example 24.004, 1:12.5, or +3", onText),
    askSeeds: (onText) => askText("Fly with how many other seeds?", "9", "up to 24", onText),
    askName: (present, onText) => askText("Rename this flight", present, "", onText),
    saveText: () => void import("./share/save-text.ts").then(({ saveText }) => saveText(store, server())),
  });
  let sideLoad: Promise<void> | undefined;
  const loadSide = () =>
    (sideLoad ??= import("./flights/side.ts").then(({ fillSide }) => fillSide(side, store, frame, commands, dark)));
  switchPages(app, header, store, {
    start: () => makeStart(store, commands, dark),
    flight: () => {
      void loadSide();
      return [editor.node, stage.node, side, timeline];
    },
  });
  effect(() => {
    app.classList.toggle("no-plots", !state.arePlotsShown.value);
    app.classList.toggle("with-editor", state.isEditorOpen.value);
    app.classList.toggle("comparing", state.isComparing.value && state.shown.value.length > 2);
  });
  root.append(app, makeCards(store), spoken);
  play(store, frame);
  commands.listen(document);
  listenToDrops(store, openLink);
}

/** The elements below the header. */
interface PageContents {
  readonly start: () => HTMLElement;
  readonly flight: () => readonly HTMLElement[];
}

/** Shows the start page, or the flights if one is active. */
function switchPages(app: HTMLElement, header: HTMLElement, { state }: Store, contents: PageContents): void {
  let start: HTMLElement | undefined;
  const isFlying = computed(() => state.active.value !== undefined);
  // Depend only on whether a flight is active, not on which one: replacing the elements would take the focus from them.
  effect(() => {
    const shown = isFlying.value ? contents.flight() : [(start ??= untracked(contents.start))];
    // On a small screen the page may be scrolled, so show the top of the new page.
    window.scrollTo(0, 0);
    app.replaceChildren(header, ...shown);
  });
}

/** Returns the functions that save pictures, videos and pages. */
function savesOf(stage: Stage, version: string): PageSaves {
  return {
    savePicture: () => stage.savePicture(),
    toggleFilm: () => stage.toggleFilm(),
    savePage: async (link) => (await import("./share/save-page.ts")).savePage(link, version),
  };
}

/** Advances the playhead while the page plays, and pauses when the page is hidden. */
function play({ state, playhead }: Store, frame: Frame): void {
  const tick = (nowMs: number) => {
    playhead.tick(nowMs);
    if (state.isFollowing.peek() || state.span.peek() !== undefined) followPlayhead(state);
  };
  effect(() => {
    if (state.isPlaying.value) frame.addTick(tick);
    else frame.removeTick(tick);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) playhead.pause();
  });
}
