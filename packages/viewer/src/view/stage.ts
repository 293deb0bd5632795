/**
 * The middle of the page: the scene, and over it the HUD, the rail and the camera buttons.
 *
 * The scene is loaded when the first flight is shown. Without WebGL, a flat drawing replaces it.
 */
import { effect } from "@preact/signals-core";
import { button, element } from "../shared/elements.ts";
import type { Commands } from "./commands.ts";
import type { Frame } from "./frame.ts";
import { makeHud } from "./hud/hud.ts";
import { Rail } from "./inject/rail.ts";
import { canFilm, Film, savePicture } from "./scene/capture.ts";
import { makePathLegend } from "./path-legend.ts";
import { FlatScene } from "./scene/flat.ts";
import { listenToPointer, type PointerTarget, turn, zoom } from "./scene/pointer.ts";
import { startQuality } from "./scene/quality.ts";
import type { FlightScene } from "./scene/scene.ts";
import { CAMERA_MODES, type CameraMode } from "./store/state.ts";
import type { Store } from "./store/store.ts";
import type { ViewFlight } from "./store/view-flight.ts";

/** A drag draws a gust only if it begins this near to the vehicle; elsewhere it turns the camera. */
const NEAR_VEHICLE_PX = 90;

export class Stage {
  readonly node = element("main", "stage");
  readonly rail: Rail;
  private readonly store: Store;
  private readonly isDark: () => boolean;
  private canvas = document.createElement("canvas");
  private readonly host = element("div", "scene");
  private readonly note = element("p", "scene-note");
  private scene: FlightScene | undefined;
  private flat: FlatScene | undefined;
  private film: Film | undefined;
  private isLoading = false;
  private isDrawing = false;
  private readonly requestPaint: ReturnType<Frame["part"]>;

  constructor(store: Store, frame: Frame, commands: Commands, isDark: () => boolean) {
    this.store = store;
    this.isDark = isDark;
    const flyByHand = async () => (await import("./hand/hand.ts")).flyByHand(store, frame, this.node);
    this.rail = new Rail(
      store,
      commands,
      () => this.onForm(),
      () => void flyByHand(),
    );
    const hud = makeHud(store.state, frame);
    this.host.append(this.canvas);
    this.host.setAttribute("role", "img");
    this.host.setAttribute("aria-label", "The flight in three dimensions. Press D for a description in words.");
    this.note.hidden = true;
    this.node.append(
      this.host,
      hud.head,
      cameraSwitch(store),
      makePathLegend(store.state, isDark),
      this.rail.node,
      this.rail.place,
      element("div", "hud-foot", hud.readings, hud.motors),
      this.note,
    );
    this.requestPaint = frame.part("scene", () => this.paint());
    this.watch();
    listenToPointer(this.host, this.pointerTarget());
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  /** Draws the scene again when a form opens or closes. Without the form of a gust, no gust is being drawn. */
  private onForm(): void {
    if (this.scene !== undefined && this.rail.gust === undefined) this.scene.gust = undefined;
    this.requestPaint();
  }

  /** Turns or zooms the camera from the keyboard. */
  moveCamera(azimuth: number, elevation: number, factor = 1): void {
    turn(this.pointerTarget(), azimuth, elevation);
    if (factor !== 1) zoom(this.pointerTarget(), factor);
  }

  /** Moves the camera so that all paths are in view. */
  frameAll(): void {
    const points = [...this.store.state.shown.peek().flatMap(pathOf), ...(this.scene?.missionPlaces ?? [])];
    if (points.length === 0) return;
    const range = [0, 1, 2].map((axis) => {
      const values = points.map((point) => point[axis]!);
      return [Math.min(...values), Math.max(...values)] as const;
    });
    this.scene?.rig.lookAt(range.map(([low, high]) => (low + high) / 2));
    const size = Math.hypot(...range.map(([low, high]) => high - low));
    const { camera } = this.store.state;
    camera.value = { ...camera.peek(), mode: "free", distanceM: Math.max(6, 1.35 * size) };
  }

  /** Saves the scene as a picture. */
  savePicture(): void {
    this.paint();
    savePicture(this.flat?.node ?? this.canvas, this.fileName);
  }

  /** Starts or stops a video of the scene. */
  toggleFilm(): void {
    if (!canFilm()) return this.showNote("This browser cannot record videos.");
    if (this.film === undefined) {
      this.film = new Film(this.flat?.node ?? this.canvas, this.fileName);
      this.showNote("Recording a video. Press Shift+F to stop.");
      return;
    }
    this.film.stop();
    this.film = undefined;
    this.note.hidden = true;
  }

  private get fileName(): string {
    const { active, nowUs } = this.store.state;
    const name = (active.peek()?.name.peek() ?? "flight").replaceAll(/[^\w.-]+/g, "-");
    return `${name}-${(nowUs.peek() / 1e6).toFixed(3)}`;
  }

  private showNote(text: string): void {
    this.note.replaceChildren(
      text,
      button("close", () => (this.note.hidden = true)),
    );
    this.note.hidden = false;
  }

  private watch(): void {
    const { state } = this.store;
    effect(() => {
      void [state.nowUs.value, state.peekUs.value, state.camera.value, state.isDark.value, state.preview.value];
      void [state.activeId.value, state.isHudShown.value, state.alignment.value, state.isSceneFull.value];
      void state.pathColouring.value;
      for (const flight of state.shown.value) void [flight.head.value, flight.end.value, flight.state.value];
      if (state.active.value?.head.value !== undefined) void this.load();
      this.requestPaint();
    });
    effect(() => {
      for (const flight of state.shown.value) void flight.rowCount.value;
      this.requestPaint.soon();
    });
    effect(() => {
      this.node.classList.toggle("no-hud", !state.isHudShown.value);
    });
  }

  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    if (!hasWebGl()) return this.useFlat("This browser has no WebGL, so the flight is drawn from above.");
    const { FlightScene } = await import("./scene/scene.ts");
    this.scene = new FlightScene({
      canvas: this.canvas,
      state: this.store.state,
      isDark: this.isDark,
      quality: startQuality(),
      covered: () => this.covered(),
      shiftPx: () => this.shiftPx(),
      onLost: () => this.useFlat("The browser stopped the 3-D drawing, so the flight is drawn from above."),
    });
    this.host.append(this.scene.labels.node);
    this.resize();
  }

  /** Returns the boxes of the HUD, the rail, the camera buttons and the vehicle, relative to the scene. */
  private covered(): DOMRect[] {
    const { left, top } = this.host.getBoundingClientRect();
    const parts = this.node.querySelectorAll(
      ".hud-head, .hud-readings, .motors, .rail, .cameras, .path-legend, .popover, .hand-bar, .stick-pad",
    );
    const boxes = [...parts].map((part) => {
      const box = part.getBoundingClientRect();
      return new DOMRect(box.left - left, box.top - top, box.width, box.height);
    });
    // Add the vehicle, so that no label hides it.
    const vehicle =
      this.scene?.shownValues === undefined ? undefined : this.scene.screenPlace(this.scene.shownValues.posNed);
    return vehicle === undefined ? boxes : [...boxes, new DOMRect(vehicle.x - 50, vehicle.y - 45, 100, 80)];
  }

  /** Returns half the width of the rail and of a panel beside it, which cover the left part of the scene. */
  private shiftPx(): number {
    if (this.host.clientWidth < 700) return 0;
    const covering = this.rail.place.firstElementChild ?? this.rail.node;
    return (covering.getBoundingClientRect().right - this.host.getBoundingClientRect().left) / 2;
  }

  private useFlat(why: string): void {
    this.scene = undefined;
    this.canvas.remove();
    this.flat = new FlatScene(this.store.state, this.isDark);
    this.host.append(this.flat.node);
    this.showNote(why);
    this.requestPaint();
  }

  private resize(): void {
    this.scene?.resize(this.host.clientWidth, this.host.clientHeight);
    this.requestPaint();
  }

  private paint(): void {
    this.scene?.paint();
    this.flat?.paint();
  }

  private pointerTarget(): PointerTarget {
    const { state, playhead } = this.store;
    return {
      view: () => state.camera.peek(),
      setView: (view) => (state.camera.value = view),
      pan: (dx, dy) => {
        this.scene?.rig.pan(dx, dy, state.camera.peek(), this.host.clientHeight);
        state.camera.value = { ...state.camera.peek(), mode: "free" };
      },
      scrub: (fraction) => {
        playhead.pause();
        playhead.goTo(state.nowUs.peek() + fraction * Math.max(1e6, state.endUs.peek()) * 0.5);
      },
      canDraw: (x, y) => this.canDraw(x, y),
      draw: (phase, x, y) => this.draw(phase, x, y),
      drawWheel: (steps) => this.rail.gust?.changeDuration(steps),
    };
  }

  private canDraw(x: number, y: number): boolean {
    const at =
      this.scene?.shownValues === undefined ? undefined : this.scene.screenPlace(this.scene.shownValues.posNed);
    return this.rail.gust !== undefined && at !== undefined && Math.hypot(at.x - x, at.y - y) < NEAR_VEHICLE_PX;
  }

  /** Draws a gust from the vehicle. The arrow is its velocity, and releasing the pointer flies it. */
  private draw(phase: "start" | "move" | "end", x: number, y: number): void {
    const { gust } = this.rail;
    const { scene } = this;
    if (scene === undefined) return;
    const velNedMps = scene.velocityUnder(x, y);
    // If Escape has closed the form during the drag, there is no gust to draw.
    if (phase === "move" && gust !== undefined && velNedMps !== undefined) {
      this.isDrawing = true;
      scene.gust = { velNedMps };
      gust.draw(velNedMps);
    }
    if (phase === "end") {
      if (this.isDrawing) void gust?.commit();
      this.isDrawing = false;
    }
    if (phase === "end" || gust === undefined) scene.gust = undefined;
    this.requestPaint();
  }
}

/** Returns points of a flight's path, in NED. */
function pathOf(flight: ViewFlight): (readonly number[])[] {
  const rows = flight.rows.peek();
  const step = Math.max(1, Math.floor(rows.count / 200));
  return Array.from({ length: Math.floor(rows.count / step) }, (_, i) =>
    [0, 1, 2].map((axis) => rows.value(rows.place("posNed", axis), i * step)),
  );
}

function hasWebGl(): boolean {
  const canvas = document.createElement("canvas");
  return canvas.getContext("webgl2") !== null;
}

const CAMERA_NAMES: Readonly<Record<CameraMode, string>> = {
  follow: "Follow",
  chase: "Chase",
  top: "Top",
  free: "Free",
  "on-board": "On board",
};

/** Builds the group of buttons that choose the camera. */
function cameraSwitch({ state }: Store): HTMLElement {
  const node = element("div", "cameras");
  node.setAttribute("role", "radiogroup");
  node.setAttribute("aria-label", "Camera (V)");
  const buttons = CAMERA_MODES.map((mode) => {
    const each = element("button", "", CAMERA_NAMES[mode]);
    each.setAttribute("role", "radio");
    each.addEventListener("click", () => (state.camera.value = { ...state.camera.peek(), mode }));
    return each;
  });
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = CAMERA_MODES.indexOf(state.camera.peek().mode);
    const next = (at + step + CAMERA_MODES.length) % CAMERA_MODES.length;
    state.camera.value = { ...state.camera.peek(), mode: CAMERA_MODES[next]! };
    buttons[next]!.focus();
  });
  effect(() => {
    const { mode } = state.camera.value;
    CAMERA_MODES.forEach((each, i) => {
      buttons[i]!.setAttribute("aria-checked", String(each === mode));
      buttons[i]!.tabIndex = each === mode ? 0 : -1;
    });
  });
  node.append(...buttons);
  return node;
}
