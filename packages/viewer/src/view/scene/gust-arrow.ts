/** The arrow of a gust that the reader draws on the vehicle's horizontal plane. */
import { Group, MeshBasicMaterial, Vector3, type Camera } from "three";
import type { Palette } from "./palette.ts";
import { arrow } from "./shapes.ts";

/**
 * Speed of a gust per metre of its arrow, so large that the arrow of a strong gust fits into the view of a camera near
 * the vehicle.
 */
const MPS_PER_M = 4;

/**
 * Returns the point under the pointer on the horizontal plane at `downM`, in NED; undefined above the horizon.
 */
export function placeUnder(
  camera: Camera,
  x: number,
  y: number,
  size: { readonly width: number; readonly height: number },
  downM: number,
): readonly [north: number, east: number] | undefined {
  const eye = new Vector3().setFromMatrixPosition(camera.matrixWorld);
  const ray = new Vector3((2 * x) / size.width - 1, 1 - (2 * y) / size.height, 0.5).unproject(camera).sub(eye);
  const along = (-downM - eye.y) / ray.y;
  if (!(along >= 0 && Number.isFinite(along))) return undefined;
  return [-(eye.z + along * ray.z), eye.x + along * ray.x];
}

/** Returns the velocity, in m/s, of a gust whose arrow reaches from the vehicle to a place at the vehicle's height. */
export function gustTo([north, east]: readonly [number, number], posNed: ArrayLike<number>): DrawnGust["velNedMps"] {
  return [(north - posNed[0]!) * MPS_PER_M, (east - posNed[1]!) * MPS_PER_M, 0];
}

/** A gust that the reader draws with the pointer. */
export interface DrawnGust {
  readonly velNedMps: readonly [number, number, number];
}

export class GustArrow {
  readonly node = new Group();
  private readonly material: MeshBasicMaterial;

  constructor() {
    this.material = new MeshBasicMaterial({ transparent: true, opacity: 0.9 });
    this.node.add(arrow(this.material, 0.03));
    this.node.visible = false;
  }

  setPalette({ gust }: Palette): void {
    this.material.color.copy(gust);
  }

  /** Shows an arrow from the vehicle along the gust, or hides it if there is none. Returns its tip, in NED. */
  show(posNed: ArrayLike<number>, gust: DrawnGust | undefined): readonly [number, number, number] | undefined {
    const shaft = new Vector3(...(gust?.velNedMps ?? [0, 0, 0])).divideScalar(MPS_PER_M);
    const lengthM = shaft.length();
    this.node.visible = lengthM > 0.01;
    if (!this.node.visible) return undefined;
    const place = new Vector3(posNed[0], posNed[1], posNed[2]);
    this.node.position.copy(place);
    this.node.scale.set(1, lengthM, 1);
    this.node.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), shaft.clone().divideScalar(lengthM));
    return place.add(shaft).toArray();
  }

  dispose(): void {
    this.material.dispose();
  }
}
