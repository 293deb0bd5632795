/**
 * Flying by hand: a branch begins at the playhead, the worker flies it just ahead of the playhead, and every movement
 * of the sticks becomes a part of its description.
 *
 * The playhead plays as usual, so pausing and the pace work as usual. Releasing the sticks makes the branch an ordinary
 * flight, whose rest is flown ahead.
 */
import type { ActionName } from "@escapement/core";
import { button, element } from "../../shared/elements.ts";
import { keyHint } from "../flights/icon-button.ts";
import type { Frame } from "../frame.ts";
import { instantValuesAt } from "../hud/instant.ts";
import { nextTickUs } from "../inject/popover.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { combinePositions, isStickKey, positionsOfGamepads, positionsOfKeys } from "./stick-input.ts";
import { StickPad } from "./stick-pad.ts";

/** How far ahead of the playhead the flight is flown, in wall time, so that its rows arrive in time. */
const LEAD_US = 60_000;

/** The ways to end flying by hand: the action that follows, its name, and its key. */
const ENDS: readonly { readonly action: ActionName; readonly label: string; readonly key: string }[] = [
  { action: "hold", label: "Hold", key: "Escape" },
  { action: "mission", label: "Mission", key: "m" },
  { action: "rtl", label: "Return", key: "r" },
  { action: "land", label: "Land", key: "l" },
];

/** Begins to fly by hand at the playhead. `stage` is the element over which the sticks are shown. */
export async function flyByHand(store: Store, frame: Frame, stage: HTMLElement): Promise<void> {
  const { state, playhead } = store;
  const parent = state.active.peek();
  if (parent?.head.peek()?.canBranch !== true) return;
  playhead.pause();
  const atUs = nextTickUs(store);
  const arms = instantValuesAt(parent, atUs)?.isArmed === false;
  state.isReversed.value = state.isLooping.value = false;
  const flight = await store.flyByHand(atUs, arms);
  if (flight !== undefined && flight.state.peek() !== "rejected")
    new Cockpit(store, frame, stage, flight, atUs).begin();
}

class Cockpit {
  private readonly store: Store;
  private readonly frame: Frame;
  private readonly stage: HTMLElement;
  private readonly flight: ViewFlight;
  private readonly atUs: number;
  private readonly left = new StickPad("climb, turn");
  private readonly right = new StickPad("move");
  private readonly bar: HTMLElement;
  private readonly heldKeys = new Set<string>();
  private readonly listening = new AbortController();
  private isShiftHeld = false;
  private isBegun = false;

  constructor(store: Store, frame: Frame, stage: HTMLElement, flight: ViewFlight, atUs: number) {
    this.store = store;
    this.frame = frame;
    this.stage = stage;
    this.flight = flight;
    this.atUs = atUs;
    this.bar = this.makeBar();
    this.left.node.classList.add("left");
  }

  begin(): void {
    const { camera } = this.store.state;
    if (camera.peek().mode === "follow") camera.value = { ...camera.peek(), mode: "chase" };
    this.store.state.isByHand.value = true;
    this.stage.classList.add("by-hand");
    this.stage.append(this.left.node, this.right.node, this.bar);
    this.bar.focus();
    this.listen();
    this.frame.addTick(this.tick);
  }

  private makeBar(): HTMLElement {
    const hasMission = (this.flight.head.peek()?.definition?.mission?.items?.length ?? 0) > 0;
    const ends = ENDS.filter(({ action }) => action !== "mission" || hasMission).map(({ action, label, key }) => {
      const node = button(label, () => this.end(action));
      node.append(keyHint(key === "Escape" ? "Esc" : key.toUpperCase()));
      return node;
    });
    const keys = "W A S D move, ↑ ↓ climb, ← → turn, Shift faster, Space pauses; a gamepad works too";
    const bar = element(
      "div",
      "hand-bar",
      element("p", "", element("strong", "", "By hand"), element("small", "", keys)),
      element("div", "row", element("span", "", "end with"), ...ends),
    );
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Flying by hand");
    bar.tabIndex = -1;
    return bar;
  }

  private listen(): void {
    const { signal } = this.listening;
    // Handle keys before the commands of the page, some of which have the same keys.
    addEventListener("keydown", (event) => this.pressKey(event), { capture: true, signal });
    const releaseKey = ({ code, shiftKey }: KeyboardEvent) => {
      this.isShiftHeld = shiftKey;
      this.heldKeys.delete(code);
    };
    addEventListener("keyup", releaseKey, { capture: true, signal });
    const centreSticks = () => {
      this.heldKeys.clear();
      this.left.release();
      this.right.release();
    };
    addEventListener("blur", centreSticks, { signal });
    document.addEventListener("visibilitychange", centreSticks, { signal });
  }

  private pressKey(event: KeyboardEvent): void {
    const { code, key, shiftKey, target } = event;
    const isField = target instanceof HTMLElement && target.closest("input, textarea, select, .editor") !== null;
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open], .menu") !== null) return;
    this.isShiftHeld = shiftKey;
    const ending = ENDS.find((each) => each.key === key);
    if (isStickKey(code)) this.heldKeys.add(code);
    else if (ending !== undefined) this.end(ending.action);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Reads the sticks and lets the flight continue, once per frame. */
  private readonly tick = (): void => {
    const { state, playhead } = this.store;
    const { flight, left, right } = this;
    if (flight.end.peek() !== undefined) return this.close();
    // Undo, or choosing another flight, has the same effect as Escape.
    if (state.activeId.peek() !== flight.id) return this.end("hold");
    const pads = [right.x, right.y, left.x, left.y];
    const pilot = [
      positionsOfKeys(this.heldKeys, this.isShiftHeld),
      positionsOfGamepads(navigator.getGamepads()),
      pads,
    ];
    const sticks = document.hasFocus() ? combinePositions(...pilot) : combinePositions(pads);
    left.show(sticks[2], sticks[3]);
    right.show(sticks[0], sticks[1]);
    const periodUs = flight.head.peek()?.logPeriodUs;
    if (periodUs === undefined) return;
    if (!this.isBegun && flight.flownUs.peek() + periodUs >= this.atUs) {
      this.isBegun = true;
      playhead.goTo(this.atUs);
      playhead.play();
    }
    if (!this.isBegun || !state.isPlaying.peek()) return;
    this.store.steer(flight.id, Math.round(state.nowUs.peek() + LEAD_US * state.pace.peek() + periodUs), sticks);
  };

  private end(action: ActionName): void {
    this.close();
    void this.store.release(this.flight, action);
  }

  private close(): void {
    this.listening.abort();
    this.frame.removeTick(this.tick);
    for (const node of [this.left.node, this.right.node, this.bar]) node.remove();
    this.stage.classList.remove("by-hand");
    const { camera, isByHand } = this.store.state;
    isByHand.value = false;
    if (camera.peek().mode === "chase") camera.value = { ...camera.peek(), mode: "follow" };
  }
}
