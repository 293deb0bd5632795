/** Marks in the scene: waypoints, setpoint, estimate, the line down to the ground, and ground contact. */
import {
  CircleGeometry,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  ShaderMaterial,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Waypoint } from "../../shared/waypoints.ts";
import type { Palette } from "./palette.ts";
import { arrow } from "./shapes.ts";

const RING_POINTS = 64;
const RING_M = 0.9;

/** Draws a ring at each waypoint with a line down to the ground. Lines have the same thickness at any distance. */
export class Waypoints {
  readonly node = new Group();
  private readonly ring = new LineMaterial({ linewidth: 2, transparent: true, opacity: 0.85 });
  private readonly stem = new LineMaterial({ linewidth: 1, transparent: true, opacity: 0.3 });

  constructor(waypoints: readonly Waypoint[], palette: Palette) {
    for (const material of [this.ring, this.stem]) material.color.copy(palette.waypoint);
    for (const { north, east, down } of waypoints) {
      const circle = Array.from({ length: RING_POINTS + 1 }, (_, i) => {
        const angle = (2 * Math.PI * i) / RING_POINTS;
        return [north + RING_M * Math.cos(angle), east + RING_M * Math.sin(angle), down];
      });
      this.node.add(fatLine(circle.flat(), this.ring));
      if (down < -0.5) this.node.add(fatLine([north, east, down, north, east, 0], this.stem));
    }
  }

  dispose(): void {
    this.node.traverse((part) => {
      if (part instanceof Line2) part.geometry.dispose();
    });
    this.ring.dispose();
    this.stem.dispose();
  }
}

export function fatLine(positions: number[], material: LineMaterial): Line2 {
  const geometry = new LineGeometry();
  geometry.setPositions(positions);
  return new Line2(geometry, material);
}

const BLOB_FRAGMENT = /* glsl */ `
uniform float strength;
varying vec2 vPlace;
void main() {
  float r = length(vPlace);
  gl_FragColor = vec4(0.0, 0.0, 0.0, strength * (1.0 - smoothstep(0.15, 1.0, r)));
}`;
const BLOB_VERTEX = /* glsl */ `
varying vec2 vPlace;
void main() {
  vPlace = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

/** Draws a line, a ring and a shadow below a vehicle, and the contact force while it touches the ground. */
export class GroundMark {
  readonly node = new Group();
  private readonly stem: LineSegments2;
  private readonly stemMaterial: LineMaterial;
  private readonly ring: Mesh;
  private readonly blob: Mesh;
  private readonly blobMaterial: ShaderMaterial;
  private readonly force: Group;
  private readonly dust: Mesh;
  private readonly materials: Material[];

  constructor(palette: Palette, radiusM: number, colour?: string) {
    this.stemMaterial = new LineMaterial({
      linewidth: 1.4,
      transparent: true,
      opacity: colour === undefined ? 0.7 : 0.3,
    });
    this.stemMaterial.color.set(colour ?? palette.stem);
    this.stem = new LineSegments2(new LineSegmentsGeometry().setPositions([0, 0, 0, 0, 0, 1]), this.stemMaterial);
    const ringMaterial = new MeshBasicMaterial({ color: palette.stem, transparent: true, opacity: 0.55 });
    this.ring = new Mesh(new RingGeometry(radiusM * 0.9, radiusM * 0.96, 48), ringMaterial);
    this.blobMaterial = new ShaderMaterial({
      vertexShader: BLOB_VERTEX,
      fragmentShader: BLOB_FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: { strength: { value: palette.shadow } },
    });
    this.blob = new Mesh(new CircleGeometry(1, 32), this.blobMaterial);
    const forceMaterial = new MeshBasicMaterial({ color: palette.contact });
    this.force = arrow(forceMaterial, 0.012);
    const dustMaterial = new MeshBasicMaterial({ color: palette.contact, transparent: true, opacity: 0.35 });
    this.dust = new Mesh(new RingGeometry(radiusM * 1.05, radiusM * 1.3, 48), dustMaterial);
    this.materials = [this.stemMaterial, ringMaterial, this.blobMaterial, forceMaterial, dustMaterial];
    // Faces must point along −z (up) to be seen from above.
    for (const flat of [this.ring, this.blob, this.dust]) flat.rotation.x = Math.PI;
    this.node.add(this.stem, this.ring, this.blob, this.force, this.dust);
    this.radiusM = radiusM;
  }

  private readonly radiusM: number;

  show(posNed: ArrayLike<number>, contactForceNed: ArrayLike<number>, weightN: number): void {
    const [north, east, down] = [posNed[0]!, posNed[1]!, posNed[2]!];
    const heightM = Math.max(0, -down);
    this.stem.position.set(north, east, down);
    this.stem.scale.set(1, 1, heightM);
    this.stem.visible = heightM > 0.3;
    this.ring.position.set(north, east, -0.004);
    const size = this.radiusM * (1.15 + 0.06 * heightM);
    this.blob.position.set(north, east, -0.003);
    this.blob.scale.set(size, size, 1);
    this.blob.visible = heightM < 40;
    const force = Math.hypot(contactForceNed[0] ?? 0, contactForceNed[1] ?? 0, contactForceNed[2] ?? 0);
    this.force.visible = force > 0.5;
    this.dust.visible = force > 0.5;
    this.dust.position.set(north, east, -0.006);
    if (!this.force.visible) return;
    this.force.position.set(north, east, 0);
    const direction = new Vector3(contactForceNed[0], contactForceNed[1], contactForceNed[2]).divideScalar(force);
    this.force.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), direction);
    this.force.scale.set(1, Math.min(1.5, (0.45 * force) / weightN), 1);
  }

  /**
   * Keeps the soft shadow if `isShown` is set. Otherwise removes it permanently, because the scene draws a real shadow.
   */
  setBlob(isShown: boolean): void {
    this.blobMaterial.uniforms["strength"]!.value = isShown ? this.blobMaterial.uniforms["strength"]!.value : 0;
  }

  dispose(): void {
    this.node.traverse((part) => {
      if (part instanceof Mesh) part.geometry.dispose();
    });
    for (const material of this.materials) material.dispose();
  }
}

const CROSS_M = 0.1;

/** Draws a small cross at the setpoint or the estimate, and a thin line from it to the vehicle. */
export class Target {
  readonly node = new Group();
  private readonly material: LineMaterial;
  private readonly geometry = new LineSegmentsGeometry();
  private readonly points = new Float32Array(24);

  constructor(colour: Palette["setpoint"]) {
    this.material = new LineMaterial({ linewidth: 1.3, transparent: true, opacity: 0.75 });
    this.material.color.copy(colour);
    this.geometry.setPositions(this.points);
    const line = new LineSegments2(this.geometry, this.material);
    line.frustumCulled = false;
    this.node.add(line);
  }

  show(place: ArrayLike<number>, vehicle: ArrayLike<number>): void {
    const [n, e, d] = [place[0]!, place[1]!, place[2]!];
    this.node.visible = !Number.isNaN(n + e + d);
    if (!this.node.visible) return;
    const c = CROSS_M;
    const lines = [n - c, e, d, n + c, e, d, n, e - c, d, n, e + c, d, n, e, d - c, n, e, d + c];
    this.points.set([...lines, n, e, d, vehicle[0]!, vehicle[1]!, vehicle[2]!]);
    this.geometry.setPositions(this.points);
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}
