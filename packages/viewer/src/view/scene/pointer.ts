/**
 * Handles pointer, wheel and touch in the scene: turns, moves and zooms the camera, scrubs, and draws gusts.
 *
 * One finger or the left button turns; the right button or two fingers move; the wheel or a pinch zooms. With Shift, a
 * drag scrubs through time. While the gust panel is open, a drag that begins near the vehicle draws the gust.
 */
import type { CameraView } from "../store/state.ts";

export interface PointerTarget {
  readonly view: () => CameraView;
  readonly setView: (view: CameraView) => void;
  readonly pan: (dx: number, dy: number) => void;
  /** Moves the playhead for a drag over this fraction of the scene's width. */
  readonly scrub: (fraction: number) => void;
  /** Returns whether a drag that begins here draws a gust. */
  readonly canDraw: (x: number, y: number) => boolean;
  readonly draw: (phase: "start" | "move" | "end", x: number, y: number) => void;
  /** Changes the duration of a gust, by the wheel while the gust is drawn. */
  readonly drawWheel: (steps: number) => void;
}

const TURN_DEG_PER_PX = 0.35;
const MIN_DISTANCE_M = 0.6;
const MAX_DISTANCE_M = 2000;

export function listenToPointer(node: HTMLElement, target: PointerTarget): void {
  const held = new Map<number, { x: number; y: number }>();
  let isDrawing = false;
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    isDrawing = held.size === 1 && event.button === 0 && target.canDraw(event.offsetX, event.offsetY);
    if (isDrawing) target.draw("start", event.offsetX, event.offsetY);
  });
  node.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (before === undefined) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    const apart = spread(held);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (held.size === 2) {
      target.pan(dx / 2, dy / 2);
      if (apart > 0) zoom(target, apart / spread(held));
    } else if (isDrawing) target.draw("move", event.offsetX, event.offsetY);
    else if (event.shiftKey) target.scrub(dx / node.clientWidth);
    else if (event.buttons === 2 || event.buttons === 4) target.pan(dx, dy);
    else turn(target, dx * TURN_DEG_PER_PX, dy * TURN_DEG_PER_PX);
  });
  const release = (event: PointerEvent) => {
    if (!held.delete(event.pointerId) || !isDrawing) return;
    isDrawing = false;
    target.draw("end", event.offsetX, event.offsetY);
  };
  node.addEventListener("pointerup", release);
  node.addEventListener("pointercancel", release);
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      if (isDrawing) target.drawWheel(-Math.sign(event.deltaY));
      else zoom(target, Math.exp(event.deltaY / 900));
    },
    { passive: false },
  );
}

/** Turns the camera by degrees. */
export function turn(
  { view, setView }: Pick<PointerTarget, "view" | "setView">,
  azimuth: number,
  elevation: number,
): void {
  const now = view();
  // Only follow and free cameras can turn, so switch from any other mode to follow.
  const mode = now.mode === "chase" || now.mode === "top" || now.mode === "on-board" ? "follow" : now.mode;
  setView({
    ...now,
    mode,
    azimuthDeg: (((now.azimuthDeg - azimuth) % 360) + 360) % 360,
    elevationDeg: Math.max(-5, Math.min(88, now.elevationDeg + elevation)),
  });
}

export function zoom({ view, setView }: Pick<PointerTarget, "view" | "setView">, factor: number): void {
  const now = view();
  const distanceM = Math.max(MIN_DISTANCE_M, Math.min(MAX_DISTANCE_M, now.distanceM * factor));
  setView({ ...now, distanceM });
}

function spread(held: ReadonlyMap<number, { readonly x: number; readonly y: number }>): number {
  const [a, b] = [...held.values()];
  return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
}
