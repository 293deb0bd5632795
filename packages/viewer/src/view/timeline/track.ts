/**
 * The time axis with the lanes of the flights. It is the slider of the playhead.
 *
 * The ruler and the lanes are drawn on two canvases. The playhead, the marks and the hint of an event are elements over
 * them, so that moving the playhead redraws nothing.
 */
import { eventText, type FlightEvent } from "@escapement/core";
import { effect } from "@preact/signals-core";
import { flightColour, ink } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { modeName } from "../../shared/modes.ts";
import type { Frame } from "../frame.ts";
import { movableOf, moveEvent, previewMove } from "../flights/own-events.ts";
import { makeDrawing } from "../hud/canvas.ts";
import { instantValuesAt } from "../hud/instant.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { drawFork, drawLane, LANE_PX } from "./draw-lane.ts";
import { bandsOf } from "./bands.ts";
import { type Lane, lanesOf, shownOf } from "./lanes.ts";
import { rulerTicks } from "./ruler.ts";
import { moveSpan, shownSpan, zoomSpan } from "./time-scale.ts";

const MARGIN_PX = { left: 10, right: 30 };
/** An event is under the pointer if it is nearer than this. */
const NEAR_PX = 6;
/** A drag shorter than this is a click. */
const CLICK_PX = 4;
/** Rows are read for at most this long per frame. */
const SLICE_MS = 6;

export class TimeTrack {
  readonly node = element("div", "time-track");
  readonly rulerPlace = element("div", "ruler-place");
  readonly lanePlace = element("div", "lane-place");
  private readonly ruler = makeDrawing("ruler");
  private readonly lanes = makeDrawing("lane-canvas");
  private readonly head = element("div", "playhead");
  private readonly bubble = element("div", "bubble");
  private readonly hint = element("div", "time-hint");
  private readonly flags = {
    a: element("div", "flag", element("span", "", "a")),
    b: element("div", "flag", element("span", "", "b")),
  };
  /** The event that is being dragged to a different time. */
  private dragged: { readonly event: FlightEvent; readonly fromX: number } | undefined;
  /** Cached, because reading it from the element would make the browser compute the layout again. */
  private width = 0;
  private readonly store: Store;
  private readonly isDark: () => boolean;

  constructor(store: Store, frame: Frame, isDark: () => boolean) {
    this.store = store;
    this.isDark = isDark;
    this.rulerPlace.append(this.ruler.node);
    this.lanePlace.append(this.lanes.node);
    this.hint.hidden = true;
    const lines = element("div", "time-lines", this.head, this.bubble, this.flags.a, this.flags.b, this.hint);
    this.node.append(this.rulerPlace, this.lanePlace, lines);
    for (const [name, flag] of Object.entries(this.flags)) this.listenToFlag(name as "a" | "b", flag);
    this.node.tabIndex = 0;
    this.node.setAttribute("role", "slider");
    this.node.setAttribute("aria-label", "Time");
    this.node.setAttribute("aria-orientation", "horizontal");
    const requestDraw = frame.part("timeline", () => {
      // The bands of a large log are read over several frames.
      if (!this.draw()) requestDraw.soon();
    });
    const requestMove = frame.part("timeline", () => this.move());
    this.watch(requestDraw, requestMove);
    this.listen();
    new ResizeObserver(() => {
      this.width = this.rulerPlace.clientWidth;
      requestDraw();
      requestMove();
    }).observe(this.rulerPlace);
  }

  private watch(requestDraw: ReturnType<Frame["part"]>, requestMove: () => void): void {
    const { state } = this.store;
    effect(() => {
      for (const flight of state.flights.value) void flight.rowCount.value;
      requestDraw.soon();
    });
    effect(() => {
      for (const flight of state.flights.value) {
        void [flight.isHidden.value, flight.events.value, flight.end.value, flight.fork.value, flight.head.value];
      }
      void [state.activeId.value, state.span.value, state.isDark.value, state.endUs.value];
      requestDraw();
      requestMove();
    });
    effect(() => {
      void [state.nowUs.value, state.marks.value, state.peekUs.value];
      requestMove();
    });
  }

  /** The lanes from top to bottom. */
  get laneList(): Lane[] {
    const { state } = this.store;
    return lanesOf(state.flights.peek(), state.activeId.peek());
  }

  private x(tUs: number): number {
    const { fromUs, toUs } = shownSpan(this.store.state);
    const inner = Math.max(1, this.width - MARGIN_PX.left - MARGIN_PX.right);
    return MARGIN_PX.left + ((tUs - fromUs) / (toUs - fromUs)) * inner;
  }

  private timeAt(x: number): number {
    const { fromUs, toUs } = shownSpan(this.store.state);
    const inner = Math.max(1, this.width - MARGIN_PX.left - MARGIN_PX.right);
    return fromUs + ((x - MARGIN_PX.left) / inner) * (toUs - fromUs);
  }

  /** Draws the ruler and the lanes. Returns false if some rows have not been read yet. */
  private draw(): boolean {
    const { state } = this.store;
    const lanes = this.laneList;
    const sliceEndMs = performance.now() + SLICE_MS;
    const isComplete = lanes.every((lane) => bandsOf(shownOf(lane), sliceEndMs).isComplete);
    this.lanes.node.style.height = `${Math.max(1, lanes.length) * LANE_PX + 4}px`;
    const span = shownSpan(state);
    const ticks = rulerTicks(span.fromUs, span.toUs, this.width);
    this.ruler.draw((context, width, height) => {
      context.font = "11px system-ui, sans-serif";
      context.textBaseline = "middle";
      for (const { tUs, text } of ticks) {
        const at = Math.round(this.x(tUs)) + 0.5;
        if (at + 5 + context.measureText(text).width > width) continue;
        context.fillStyle = ink("line");
        context.fillRect(at - 0.5, height - 6, 1, 6);
        context.fillStyle = ink("quiet");
        context.fillText(text, at + 5, height / 2 - 1);
      }
      this.drawOverview(context, width);
    });
    this.lanes.draw((context, width, height) => {
      context.fillStyle = ink("line");
      for (const { tUs } of ticks) context.fillRect(Math.round(this.x(tUs)), 0, 1, height);
      this.drawLanes(context, width, lanes);
    });
    this.node.setAttribute("aria-valuemin", "0");
    this.node.setAttribute("aria-valuemax", String(state.endUs.peek() / 1e6));
    return isComplete;
  }

  /** Draws a strip above the ruler that shows which part of the flight is in view. */
  private drawOverview(context: CanvasRenderingContext2D, width: number): void {
    const span = this.store.state.span.peek();
    if (span === undefined) return;
    const endUs = Math.max(1, this.store.state.endUs.peek());
    context.fillStyle = ink("line");
    context.fillRect(0, 0, width, 3);
    context.fillStyle = ink("accent");
    context.fillRect((span.fromUs / endUs) * width, 0, Math.max(3, ((span.toUs - span.fromUs) / endUs) * width), 3);
  }

  private drawLanes(context: CanvasRenderingContext2D, width: number, lanes: readonly Lane[]): void {
    const activeId = this.store.state.activeId.peek();
    const top = (index: number) => index * LANE_PX + 2;
    const common = { context, width, isDark: this.isDark(), x: (tUs: number) => this.x(tUs) };
    lanes.forEach((lane, i) => {
      const isActive = lane.flights.some(({ id }) => id === activeId);
      drawLane(lane, { ...common, top: top(i), isActive });
    });
    lanes.forEach((lane, i) => {
      for (const flight of lane.flights) {
        const parent = flight.fork.peek()?.parent;
        const parentLane = lanes.findIndex(({ flights }) => flights.some(({ id }) => id === parent));
        if (parentLane >= 0 && parentLane !== i) {
          drawFork(flight, top(parentLane), { ...common, top: top(i), isActive: true });
        }
      }
    });
  }

  private move(): void {
    const { state } = this.store;
    const nowUs = state.nowUs.peek();
    const x = this.x(nowUs);
    const isInside = x >= 0 && x <= this.width;
    this.head.hidden = !isInside;
    this.bubble.hidden = !isInside;
    this.head.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.bubble.textContent = bubbleText(nowUs, shownSpan(state).toUs - shownSpan(state).fromUs);
    const half = Math.max(34, 4 * this.bubble.textContent.length + 10);
    this.bubble.style.transform = `translateX(${Math.max(half, Math.min(this.width - half, x)).toFixed(1)}px)`;
    const { aUs, bUs } = state.marks.peek();
    this.placeFlag(this.flags.a, aUs);
    this.placeFlag(this.flags.b, bUs);
    this.node.setAttribute("aria-valuenow", String(nowUs / 1e6));
    this.node.setAttribute("aria-valuetext", this.valueText(nowUs));
  }

  private placeFlag(flag: HTMLElement, tUs: number | undefined): void {
    flag.hidden = tUs === undefined;
    if (tUs !== undefined) flag.style.transform = `translateX(${this.x(tUs).toFixed(1)}px)`;
  }

  private valueText(nowUs: number): string {
    const flight = this.store.state.active.peek();
    const values = flight === undefined ? undefined : instantValuesAt(flight, nowUs);
    const last = flight?.events
      .peek()
      .filter(({ tUs }) => tUs <= nowUs)
      .at(-1);
    return [
      `${(nowUs / 1e6).toFixed(2)} seconds`,
      ...(values === undefined || Number.isNaN(values.mode) ? [] : [modeName(values.mode)]),
      ...(last === undefined ? [] : [`${eventText(last)} at ${(last.tUs / 1e6).toFixed(1)}`]),
    ].join(", ");
  }

  private listen(): void {
    const { node } = this;
    const { state, playhead } = this.store;
    const xOf = (event: MouseEvent) => event.clientX - this.rulerPlace.getBoundingClientRect().left;
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      node.setPointerCapture(event.pointerId);
      state.peekUs.value = undefined;
      this.hint.hidden = true;
      if (event.shiftKey) return;
      const near = this.eventUnder(xOf(event), event);
      this.dragged =
        near !== undefined && this.isMovable(near) ? { event: near.event, fromX: event.clientX } : undefined;
      playhead.pause();
      playhead.goTo(near?.event.tUs ?? this.timeAt(xOf(event)));
      if (near !== undefined && near.flight.id !== state.activeId.peek()) this.store.activate(near.flight.id);
      else this.activateUnder(event);
    });
    node.addEventListener("pointermove", (event) => {
      if (!node.hasPointerCapture(event.pointerId)) return this.hover(event, xOf(event));
      if (this.dragged !== undefined) this.showDragged(event, xOf(event));
      else if (event.shiftKey) moveSpan(state, -event.movementX / Math.max(1, this.width));
      else if (event.movementX !== 0) playhead.goTo(this.timeAt(xOf(event)));
    });
    node.addEventListener("pointerup", (event) => {
      const { dragged } = this;
      this.dragged = undefined;
      if (dragged === undefined || Math.abs(event.clientX - dragged.fromX) < CLICK_PX) return;
      this.hint.hidden = true;
      const toUs = this.timeAt(xOf(event));
      playhead.goTo(toUs);
      this.store.preview(undefined);
      void moveEvent(this.store, dragged.event, toUs);
    });
    node.addEventListener("pointercancel", () => {
      this.dragged = undefined;
      this.store.preview(undefined);
    });
    node.addEventListener("pointerleave", () => {
      state.peekUs.value = undefined;
      this.hint.hidden = true;
    });
    node.addEventListener("dblclick", () => (state.span.value = undefined));
    node.addEventListener(
      "wheel",
      (event) => {
        // If the lanes do not all fit, the wheel scrolls them. With Ctrl, or elsewhere, it zooms or moves the span.
        const isScrollable = this.lanePlace.scrollHeight > this.lanePlace.clientHeight + 2;
        const isOverLanes = this.lanePlace.contains(event.target as Node);
        event.preventDefault();
        if (isScrollable && isOverLanes && !event.ctrlKey) {
          this.lanePlace.scrollTop += event.deltaY;
          return;
        }
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) moveSpan(state, event.deltaX / 800);
        else zoomSpan(state, this.timeAt(xOf(event)), Math.exp(event.deltaY / 500));
      },
      { passive: false },
    );
  }

  /** Lets the reader drag a mark by its flag. */
  private listenToFlag(name: "a" | "b", flag: HTMLElement): void {
    const { state } = this.store;
    flag.title = `Mark ${name}: drag it, or press ${name === "a" ? "[" : "]"} to set it at the playhead`;
    flag.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      flag.setPointerCapture(event.pointerId);
    });
    flag.addEventListener("pointermove", (event) => {
      if (!flag.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation();
      const x = event.clientX - this.rulerPlace.getBoundingClientRect().left;
      const tUs = Math.max(0, Math.min(state.endUs.peek(), Math.round(this.timeAt(x))));
      state.marks.value = { ...state.marks.peek(), [name === "a" ? "aUs" : "bUs"]: tUs };
    });
  }

  /** Whether an event can be moved: only those that the active flight's own text lists. */
  private isMovable({ event, flight }: { readonly event: FlightEvent; readonly flight: ViewFlight }): boolean {
    return flight.id === this.store.state.activeId.peek() && movableOf(flight, event) !== undefined;
  }

  /** Shows the new time of a dragged event, and previews the future with it. */
  private showDragged(event: PointerEvent, x: number): void {
    const { dragged } = this;
    if (dragged === undefined || Math.abs(event.clientX - dragged.fromX) < CLICK_PX) return;
    const flight = this.store.state.active.peek()!;
    const toUs = this.timeAt(x);
    this.showHint(`${eventText(dragged.event)} → ${(toUs / 1e6).toFixed(2)} s`, flight, x);
    previewMove(this.store, dragged.event, toUs);
  }

  private showHint(text: string, flight: ViewFlight, x: number): void {
    this.hint.hidden = false;
    this.hint.textContent = text;
    this.hint.style.borderColor = flightColour(flight.slot, this.isDark());
    const half = 110;
    this.hint.style.transform = `translateX(${Math.max(half, Math.min(this.width - half, x)).toFixed(0)}px) translateX(-50%)`;
  }

  private laneUnder(event: MouseEvent): Lane | undefined {
    const y = event.clientY - this.lanes.node.getBoundingClientRect().top;
    return this.laneList[Math.floor(y / LANE_PX)];
  }

  private activateUnder(event: MouseEvent): void {
    const lane = this.laneUnder(event);
    const activeId = this.store.state.activeId.peek();
    const flight = lane?.flights[0];
    if (flight !== undefined && flight.id !== activeId && lane?.isSweep !== true) this.store.activate(flight.id);
  }

  private eventUnder(
    x: number,
    event: MouseEvent,
  ): { readonly event: FlightEvent; readonly flight: ViewFlight } | undefined {
    const lane = this.laneUnder(event);
    for (const flight of lane?.flights ?? []) {
      const startUs = flight.fork.peek()?.forkUs ?? 0;
      const found = flight.events.peek().find(({ tUs }) => tUs >= startUs && Math.abs(this.x(tUs) - x) <= NEAR_PX);
      if (found !== undefined) return { event: found, flight };
    }
    return undefined;
  }

  /** Shows the event under the pointer and previews its instant, without moving the playhead. */
  private hover(event: PointerEvent, x: number): void {
    const near = event.pointerType === "mouse" ? this.eventUnder(x, event) : undefined;
    const { state } = this.store;
    this.hint.hidden = near === undefined;
    state.peekUs.value = near?.flight.id === state.activeId.peek() ? near?.event.tUs : undefined;
    if (near === undefined) return;
    const help = this.isMovable(near) ? " (drag to move it)" : "";
    this.showHint(`${(near.event.tUs / 1e6).toFixed(2)} s  ${eventText(near.event)}${help}`, near.flight, x);
  }
}

function bubbleText(nowUs: number, lengthUs: number): string {
  const digits = lengthUs > 5e6 ? 2 : lengthUs > 5e5 ? 3 : 4;
  return (nowUs / 1e6).toFixed(digits);
}
