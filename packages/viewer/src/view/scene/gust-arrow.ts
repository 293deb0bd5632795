/** The arrow of a gust that the reader draws on the vehicle's horizontal plane: one metre is one metre per second. */
import { Group, MeshBasicMaterial, Vector3, type Camera } from "three";
import type { Palette } from "./palette.ts";
import { arrow } from "./shapes.ts";

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

export class GustArrow {
  readonly node = new Group();
  private readonly material: MeshBasicMaterial;

  constructor(palette: Palette) {
    this.material = new MeshBasicMaterial({ color: palette.gust, transparent: true, opacity: 0.9 });
    this.node.add(arrow(this.material, 0.03));
    this.node.visible = false;
  }

  /** Shows an arrow from the vehicle along the gust, or hides it if there is none. */
  show(posNed: ArrayLike<number>, velNed: readonly number[] | undefined): void {
    const speed = velNed === undefined ? 0 : Math.hypot(velNed[0]!, velNed[1]!, velNed[2]!);
    this.node.visible = speed > 0.05;
    if (!this.node.visible) return;
    this.node.position.set(posNed[0]!, posNed[1]!, posNed[2]!);
    const way = new Vector3(velNed![0], velNed![1], velNed![2]).divideScalar(speed);
    this.node.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), way);
    this.node.scale.set(1, speed, 1);
  }

  dispose(): void {
    this.material.dispose();
  }
}
