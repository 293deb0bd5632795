/**
 * The camera with its modes follow, chase, top, free and on board.
 *
 * Its position is an azimuth, an elevation and a distance from its target. The store holds them, so that a link can
 * contain them. The camera never goes below the ground, and never turns by itself except in the modes chase and on
 * board.
 */
import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { CameraView } from "../store/state.ts";

const MIN_HEIGHT_M = 0.15;
const RAD = Math.PI / 180;
const TOP_ELEVATION_DEG = 89.9;
/** Field of view of the on-board camera. */
const BOARD_FOV_DEG = 75;
const FOV_DEG = 42;
/** The chase camera is slightly above the vehicle. */
const CHASE_ELEVATION_DEG = 14;

interface Subject {
  readonly posNed: ArrayLike<number>;
  readonly q: ArrayLike<number>;
  readonly headingRad: number;
}

/** Converts a position in NED to three.js coordinates. */
function toWorld(north: number, east: number, down: number, out: Vector3): Vector3 {
  return out.set(east, -down, -north);
}

export class CameraRig {
  readonly camera = new PerspectiveCamera(FOV_DEG, 1, 0.05, 6000);
  /** The target of a free camera, in NED. */
  private readonly freeTarget = new Float64Array(3);
  private hasFreeTarget = false;
  private readonly eye = new Vector3();
  private readonly look = new Vector3();

  /** Positions the camera. */
  place(view: CameraView, subject: Subject | undefined): void {
    const { mode } = view;
    if (mode === "on-board" && subject !== undefined) return this.placeOnBoard(subject);
    if (mode !== "free" || !this.hasFreeTarget) this.copyTarget(subject);
    this.setFov(FOV_DEG);
    const target = this.freeTarget;
    const azimuth = mode === "chase" && subject !== undefined ? subject.headingRad + Math.PI : view.azimuthDeg * RAD;
    const elevation = elevationOf(view) * RAD;
    const level = view.distanceM * Math.cos(elevation);
    const [north, east] = [target[0]! + level * Math.cos(azimuth), target[1]! + level * Math.sin(azimuth)];
    const down = Math.min(-MIN_HEIGHT_M, target[2]! - view.distanceM * Math.sin(elevation));
    this.camera.up.set(0, 1, 0);
    if (mode === "top") this.camera.up.set(0, 0, -1);
    this.camera.position.copy(toWorld(north, east, down, this.eye));
    this.camera.lookAt(toWorld(target[0]!, target[1]!, target[2]!, this.look));
    this.camera.updateMatrixWorld();
  }

  /** Moves the target of a free camera by screen pixels. */
  pan(dx: number, dy: number, view: CameraView, heightPx: number): void {
    const metresPerPixel = (2 * view.distanceM * Math.tan((FOV_DEG * RAD) / 2)) / heightPx;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const forward = new Vector3().crossVectors(new Vector3(0, 1, 0), right).normalize();
    right.multiplyScalar(-dx * metresPerPixel).addScaledVector(forward, dy * metresPerPixel);
    this.freeTarget[0]! -= right.z;
    this.freeTarget[1]! += right.x;
    this.hasFreeTarget = true;
  }

  /** Sets the target of a free camera. */
  lookAt(posNed: ArrayLike<number>): void {
    this.freeTarget.set([posNed[0]!, posNed[1]!, posNed[2]!]);
    this.hasFreeTarget = true;
  }

  /** Writes the position of the camera in NED to `out`. */
  eyeNed(out: Vector3): Vector3 {
    const { x, y, z } = this.camera.position;
    return out.set(-z, x, -y);
  }

  /** Without a subject the camera stays, e.g. until the first row of a new branch arrives. */
  private copyTarget(subject: Subject | undefined): void {
    if (subject === undefined && this.hasFreeTarget) return;
    const { posNed } = subject ?? { posNed: [0, 0, -1] };
    for (let i = 0; i < 3; i += 1) this.freeTarget[i] = posNed[i]!;
    this.hasFreeTarget = true;
  }

  private placeOnBoard({ posNed, q }: Subject): void {
    this.setFov(BOARD_FOV_DEG);
    const attitude = new Quaternion(q[1], q[2], q[3], q[0]);
    const nose = new Vector3(0.2, 0, -0.06).applyQuaternion(attitude);
    const ahead = new Vector3(1, 0, 0.12).applyQuaternion(attitude);
    const up = new Vector3(0, 0, -1).applyQuaternion(attitude);
    const [n, e, d] = [posNed[0]! + nose.x, posNed[1]! + nose.y, Math.min(-0.05, posNed[2]! + nose.z)];
    this.camera.up.set(up.y, -up.z, -up.x);
    this.camera.position.copy(toWorld(n, e, d, this.eye));
    this.camera.lookAt(toWorld(n + ahead.x, e + ahead.y, d + ahead.z, this.look));
    this.camera.updateMatrixWorld();
  }

  private setFov(fovDeg: number): void {
    if (this.camera.fov === fovDeg) return;
    this.camera.fov = fovDeg;
    this.camera.updateProjectionMatrix();
  }
}

function elevationOf({ mode, elevationDeg }: CameraView): number {
  if (mode === "top") return TOP_ELEVATION_DEG;
  if (mode === "chase") return CHASE_ELEVATION_DEG;
  return elevationDeg;
}
