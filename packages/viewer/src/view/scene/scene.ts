/**
 * Draws the flights in three dimensions. Everything inside the group `ned` uses north, east, down, as the flight does.
 *
 * The page loads this module when it first shows a flight, because three.js is larger than the rest of the page.
 */
import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  Matrix4,
  Mesh,
  PCFShadowMap,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from "three";
import { fenceLinesOf, rallyPointsOf, waypointsOf } from "../../shared/waypoints.ts";
import { flightColour } from "../../shared/colours.ts";
import { shiftUsOf } from "../flights/alignment.ts";
import type { InstantValues } from "../hud/instant.ts";
import type { ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { CameraRig } from "./cameras.ts";
import { FlightBody } from "./flight-body.ts";
import { Ground } from "./ground.ts";
import { type DrawnGust, GustArrow, gustTo, placeUnder } from "./gust-arrow.ts";
import { Labels } from "./labels.ts";
import { FenceMarks, labelOfFence } from "./fence.ts";
import { Waypoints } from "./marks.ts";
import { paletteOf } from "./palette.ts";
import { FULL_QUALITY, pixelRatio, type Quality, QualityLadder } from "./quality.ts";
import { Trail } from "./trail.ts";
import { Wind } from "./wind.ts";

interface SceneOptions {
  readonly canvas: HTMLCanvasElement;
  readonly state: ViewState;
  readonly isDark: () => boolean;
  readonly quality: Quality;
  /** Returns the parts of the canvas that other elements cover, in canvas coordinates. */
  readonly covered: () => readonly DOMRect[];
  /** Returns how far the centre of the uncovered part of the canvas is to the right of the canvas's centre. */
  readonly shiftPx: () => number;
  /** Called if the WebGL context is lost for the second time. */
  readonly onLost: () => void;
}

/** Matrix from NED to three.js, whose x is east, y is up and z is south. */
const NED_TO_WORLD = new Matrix4().set(0, 1, 0, 0, 0, 0, -1, 0, -1, 0, 0, 0, 0, 0, 0, 1);
/** A vehicle whose radius on the screen is smaller than this gets a ring around it. */
const MIN_RADIUS_PX = 12;
const SHADOW_SIZE = 1024;
const SHADOW_REACH_M = 3;

export class FlightScene {
  readonly labels = new Labels();
  readonly rig = new CameraRig();
  private readonly options: SceneOptions;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly ned = new Group();
  private readonly ground: Ground;
  private readonly wind = new Wind();
  private readonly sun = new DirectionalLight("#ffffff", 1.9);
  private readonly ambient = new AmbientLight("#ffffff", 0.35);
  private readonly sky = new HemisphereLight("#ffffff", "#8899aa", 1.1);
  private readonly shadow: Mesh;
  private readonly previewTrail = new Trail();
  private readonly gustArrow = new GustArrow();
  private readonly bodies = new Map<ViewFlight, FlightBody>();
  private mission: { readonly hash: string; readonly marks: readonly (Waypoints | FenceMarks)[] } | undefined;
  /** The waypoints, the rally points and the corners of the fence, in NED. */
  missionPlaces: readonly (readonly number[])[] = [];
  private readonly ladder: QualityLadder;
  private size = { width: 1, height: 1 };
  private shownQuality = -1;
  private wasDark: boolean | undefined;
  private losses = 0;
  private readonly eye = new Vector3();
  /** Values of the active flight at the instant that was last drawn. */
  shownValues: InstantValues | undefined;
  gust: DrawnGust | undefined;

  constructor(options: SceneOptions) {
    this.options = options;
    const { canvas, isDark, quality } = options;
    this.renderer = new WebGLRenderer({ canvas, antialias: quality >= 3, powerPreference: "high-performance" });
    this.ladder = new QualityLadder(quality);
    const palette = paletteOf(isDark());
    this.ground = new Ground(palette);
    this.ned.matrixAutoUpdate = false;
    this.ned.matrix.copy(NED_TO_WORLD);
    this.shadow = new Mesh(
      new PlaneGeometry(2 * SHADOW_REACH_M, 2 * SHADOW_REACH_M),
      new ShadowMaterial({ opacity: 0.4 }),
    );
    this.shadow.receiveShadow = true;
    this.shadow.rotation.x = -Math.PI / 2;
    this.ned.add(this.ground.ground, this.wind.node, this.previewTrail.node, this.gustArrow.node);
    this.scene.add(this.ground.sky, this.ned, this.shadow, this.sun, this.sun.target, this.ambient, this.sky);
    this.setUpShadow();
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.losses += 1;
      if (this.losses > 1) options.onLost();
    });
  }

  get quality(): Quality {
    return this.options.state.isSceneFull.peek() ? FULL_QUALITY : this.ladder.quality;
  }

  resize(width: number, height: number): void {
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.shownQuality = -1;
  }

  /** Draws the instant that the page shows. */
  paint(): void {
    const { state, isDark } = this.options;
    this.applyQuality();
    this.applyTheme(isDark());
    const tUs = state.peekUs.peek() ?? state.nowUs.peek();
    this.showFlights(tUs);
    const { shownValues: values } = this;
    this.rig.place(
      state.camera.peek(),
      values === undefined
        ? undefined
        : { posNed: values.posNed, q: values.q, headingRad: (values.yawDeg * Math.PI) / 180 },
    );
    const { camera } = this.rig;
    // Shift the view so that the camera's target is in the centre of the uncovered part of the canvas.
    const { width, height } = this.size;
    camera.setViewOffset(width, height, -this.options.shiftPx(), 0, width, height);
    this.ground.sky.position.copy(camera.position);
    this.ground.update(this.rig.eyeNed(this.eye), this.quality > 1);
    this.showAir(values);
    this.showPreview();
    this.moveSun(values);
    this.renderer.render(this.scene, camera);
    this.labels.showFar(this.farVehicles());
    this.labels.update(camera, this.size.width, this.size.height, this.options.covered());
    if (state.isPlaying.peek()) this.ladder.recordFrame(performance.now());
  }

  /** Returns the velocity of a gust drawn from the vehicle to the pointer, in m/s. */
  velocityUnder(x: number, y: number): DrawnGust["velNedMps"] | undefined {
    if (this.shownValues === undefined) return undefined;
    const { posNed } = this.shownValues;
    const place = placeUnder(this.rig.camera, x, y, this.size, posNed[2]!);
    return place === undefined ? undefined : gustTo(place, posNed);
  }

  /** Returns the pixel at which a position appears; undefined if it is behind the camera. */
  screenPlace(posNed: ArrayLike<number>): { readonly x: number; readonly y: number } | undefined {
    const at = new Vector3(posNed[1], -posNed[2]!, -posNed[0]!).project(this.rig.camera);
    if (at.z > 1) return undefined;
    return { x: ((at.x + 1) / 2) * this.size.width, y: ((1 - at.y) / 2) * this.size.height };
  }

  /** Returns the vehicles that are too small on the screen to be seen. */
  private farVehicles() {
    const { camera } = this.rig;
    const perRadian = this.size.height / 2 / Math.tan((camera.fov * Math.PI) / 360);
    return [...this.bodies.values()].flatMap((body) => {
      const at = body.posNed === undefined ? undefined : this.screenPlace(body.posNed);
      if (at === undefined) return [];
      const [north, east, down] = body.posNed as [number, number, number];
      const distanceM = Math.hypot(camera.position.x - east, camera.position.y + down, camera.position.z + north);
      const isFar = (body.radiusM / distanceM) * perRadian < MIN_RADIUS_PX;
      return isFar ? [{ ...at, colour: flightColour(body.flight.slot, this.options.isDark()) }] : [];
    });
  }

  dispose(): void {
    for (const body of this.bodies.values()) body.dispose();
    for (const part of [this.ground, this.wind, this.previewTrail, this.gustArrow]) part.dispose();
    this.removeMission();
    this.renderer.dispose();
  }

  private setUpShadow(): void {
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.set(SHADOW_SIZE, SHADOW_SIZE);
    Object.assign(sun.shadow.camera, {
      left: -SHADOW_REACH_M,
      right: SHADOW_REACH_M,
      top: SHADOW_REACH_M,
      bottom: -SHADOW_REACH_M,
      near: 1,
      far: 60,
    });
    this.renderer.shadowMap.type = PCFShadowMap;
  }

  private applyQuality(): void {
    if (this.shownQuality === this.quality) return;
    this.shownQuality = this.quality;
    const hasShadow = this.quality >= 4;
    this.renderer.shadowMap.enabled = hasShadow;
    this.sun.castShadow = hasShadow;
    this.shadow.visible = hasShadow;
    this.renderer.setPixelRatio(pixelRatio(this.quality));
    const { width, height } = this.size;
    this.renderer.setSize(width, height, false);
    this.rig.camera.aspect = width / height;
    this.rig.camera.updateProjectionMatrix();
  }

  private applyTheme(isDark: boolean): void {
    if (this.wasDark === isDark) return;
    this.wasDark = isDark;
    const palette = paletteOf(isDark);
    this.ground.setPalette(palette);
    this.gustArrow.setPalette(palette);
    this.sun.intensity = isDark ? 1.7 : 2.2;
    this.ambient.intensity = isDark ? 0.25 : 0.5;
    this.sky.intensity = isDark ? 0.9 : 1.5;
    (this.shadow.material as ShadowMaterial).opacity = isDark ? 0.5 : 0.22;
    this.removeMission();
  }

  private showFlights(tUs: number): void {
    const { state, isDark } = this.options;
    const shown = state.shown.peek();
    const palette = paletteOf(isDark());
    for (const [flight, body] of this.bodies) {
      if (shown.includes(flight)) continue;
      this.ned.remove(body.node);
      body.dispose();
      this.bodies.delete(flight);
    }
    this.shownValues = undefined;
    for (const flight of shown) {
      const isActive = flight.id === state.activeId.peek();
      const body = this.bodyOf(flight);
      const style = {
        isActive,
        isDark: isDark(),
        isThin: this.quality <= 2,
        hasBlob: this.quality < 4,
        palette,
        colouring: isActive ? state.pathColouring.peek() : ("flight" as const),
      };
      const values = body.show(tUs + shiftUsOf(flight, state), style);
      if (isActive) this.shownValues = values;
    }
    this.showMission(state.active.peek());
  }

  private bodyOf(flight: ViewFlight): FlightBody {
    let body = this.bodies.get(flight);
    if (body === undefined) {
      body = new FlightBody(flight);
      this.bodies.set(flight, body);
      this.ned.add(body.node);
    }
    return body;
  }

  /** Shows waypoints, rally points and the fence. */
  private showMission(flight: ViewFlight | undefined): void {
    const { hash = "", definition } = flight?.head.peek() ?? {};
    if (this.mission?.hash === hash) return;
    this.removeMission();
    const places = definition === undefined ? [] : [...waypointsOf(definition), ...rallyPointsOf(definition)];
    const fence = definition === undefined ? [] : fenceLinesOf(definition);
    const palette = paletteOf(this.options.isDark());
    const marks = [new Waypoints(places, palette), new FenceMarks(fence, palette)];
    this.mission = { hash, marks };
    this.missionPlaces = [
      ...places.map(({ north, east, down }) => [north, east, down]),
      ...fence.flatMap(({ points }) => points.map(([north, east]) => [north, east, 0])),
    ];
    this.ned.add(...marks.map(({ node }) => node));
    this.labels.set([...places, ...fence.map(labelOfFence)].map(({ label, ...place }) => ({ ...place, text: label })));
  }

  private removeMission(): void {
    for (const part of this.mission?.marks ?? []) {
      this.ned.remove(part.node);
      part.dispose();
    }
    this.mission = undefined;
  }

  private showAir(values: InstantValues | undefined): void {
    const flight = this.options.state.active.peek();
    this.wind.node.visible = values !== undefined;
    if (values === undefined || flight === undefined) return;
    const air = { wind: values.windNed, gustMps: values.gustMps };
    this.wind.show(flight.rows.peek(), values.place, air, values.posNed, paletteOf(this.options.isDark()));
  }

  private showPreview(): void {
    const { state, isDark } = this.options;
    const preview = state.preview.peek();
    this.previewTrail.node.visible = preview !== undefined;
    this.showGust();
    if (preview === undefined) return;
    const rows = preview.timesUs.length;
    const points = new Float32Array(3 * rows);
    for (let row = 0; row < rows; row += 1) {
      for (let axis = 0; axis < 3; axis += 1) points[3 * row + axis] = preview.values[axis * rows + row]!;
    }
    this.previewTrail.setPoints(points);
    const colour = flightColour(state.freeSlot, isDark());
    this.previewTrail.setStyle({ colour, isActive: true, isThin: this.quality <= 2 });
    this.previewTrail.cutAt(rows);
  }

  /** Shows the gust that the reader draws, with its speed at the tip of the arrow. */
  private showGust(): void {
    const { gust, shownValues } = this;
    const tip = this.gustArrow.show(shownValues?.posNed ?? [0, 0, 0], gust);
    const at = tip === undefined ? undefined : this.screenPlace(tip);
    this.labels.showSpeed(at === undefined ? undefined : { ...at, mps: Math.hypot(...gust!.velNedMps) });
  }

  private moveSun(values: InstantValues | undefined): void {
    const [north, east, down] = values?.posNed ?? [0, 0, 0];
    this.sun.target.position.set(east!, -down!, -north!);
    this.sun.position.set(east! + 6, -down! + 18, -north! + 5);
    // The plane that receives the shadow follows the vehicle. A vehicle far above the ground has no shadow.
    const heightM = Math.max(0, -down!);
    this.shadow.position.set(east! - heightM / 3, 0.004, -north! - (heightM * 5) / 18);
    this.shadow.visible = this.quality >= 4 && heightM < 35;
  }
}
