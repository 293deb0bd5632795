/**
 * Draws one rotor: blades if it turns slowly, a disc with streaks if it turns fast, and an arrow for its thrust.
 *
 * Its angle is a function of flight time, so the same instant always looks the same.
 */
import {
  CircleGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from "three";
import type { Palette } from "./palette.ts";
import { arrow } from "./shapes.ts";

export interface RotorView {
  readonly speedRadS: number;
  readonly thrustN: number;
  /** Off, jammed or without power. */
  readonly isDead: boolean;
}

interface RotorOptions {
  readonly hub: readonly [number, number, number];
  /** Unit vector opposite to the thrust. */
  readonly axis: readonly number[];
  /** 1 if the rotor turns clockwise when seen from above. */
  readonly turns: number;
  readonly radiusM: number;
  /** Thrust of this rotor in hover: its share of the vehicle's weight. */
  readonly weightN: number;
  readonly palette: Palette;
  readonly opacity: number;
}

/** A rotor that turns faster than this is drawn as a disc. */
const MIN_DISC_RAD_S = 38;
/** Length of the arrow at hover thrust, in disc radii. */
const ARROW_AT_HOVER = 1.9;
/** Apparent speed of the streaks on the disc. */
const STREAK_RAD_S = 5;

const DISC_FRAGMENT = /* glsl */ `
uniform vec3 colour; uniform float opacity; uniform float phase; uniform float turns;
varying vec2 vPlace;
void main() {
  float r = length(vPlace);
  if (r > 1.0) discard;
  float angle = atan(vPlace.y, vPlace.x) * turns - phase;
  float streak = 0.5 + 0.5 * cos(angle * 2.0);
  float tail = pow(streak, 3.0);
  float rim = smoothstep(0.9, 0.985, r) * (1.0 - smoothstep(0.985, 1.0, r));
  float alpha = (0.13 + 0.20 * tail) * smoothstep(0.06, 0.35, r) + 0.35 * rim;
  gl_FragColor = vec4(colour, alpha * opacity);
  #include <colorspace_fragment>
}`;
const DISC_VERTEX = /* glsl */ `
varying vec2 vPlace;
uniform float radius;
void main() {
  vPlace = position.xy / radius;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

export class Rotor {
  readonly node = new Group();
  private readonly options: RotorOptions;
  private readonly disc: Mesh;
  private readonly discMaterial: ShaderMaterial;
  private readonly bladeMaterial: MeshStandardMaterial;
  private readonly arrowMaterial: MeshBasicMaterial;
  private readonly blades = new Group();
  private readonly thrust: Group;

  constructor(options: RotorOptions) {
    const { hub, axis, radiusM, palette, opacity, turns } = options;
    this.options = options;
    this.node.position.set(hub[0], hub[1], hub[2]);
    // In the rotor's own frame, +z points down along its axis, as in body axes.
    const down = new Vector3(axis[0], axis[1], axis[2]).normalize();
    this.node.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), down));
    this.discMaterial = new ShaderMaterial({
      vertexShader: DISC_VERTEX,
      fragmentShader: DISC_FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        colour: { value: palette.disc },
        opacity: { value: opacity },
        phase: { value: 0 },
        turns: { value: turns },
        radius: { value: radiusM },
      },
    });
    this.disc = new Mesh(new CircleGeometry(radiusM, 48), this.discMaterial);
    this.bladeMaterial = new MeshStandardMaterial({
      color: palette.arm,
      roughness: 0.5,
      transparent: opacity < 1,
      opacity,
    });
    for (const side of [1, -1]) this.blades.add(blade(radiusM, side, this.bladeMaterial));
    this.arrowMaterial = new MeshBasicMaterial({ color: palette.thrust, transparent: true, opacity: 0.92 * opacity });
    this.thrust = arrow(this.arrowMaterial, radiusM * 0.055);
    // The arrow points up, along −z.
    this.thrust.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(0, 0, -1));
    this.node.add(this.disc, this.blades, this.thrust);
  }

  show({ speedRadS, thrustN, isDead }: RotorView, timeS: number): void {
    const isFast = Math.abs(speedRadS) > MIN_DISC_RAD_S;
    this.disc.visible = isFast;
    this.blades.visible = !isFast;
    const { turns, weightN, radiusM } = this.options;
    this.discMaterial.uniforms["phase"]!.value = (STREAK_RAD_S * timeS) % (2 * Math.PI);
    this.blades.rotation.z = turns * ((speedRadS * timeS) % (2 * Math.PI));
    const length = ARROW_AT_HOVER * radiusM * (thrustN / weightN);
    this.thrust.visible = !isDead && Math.abs(length) > 0.01;
    this.thrust.scale.set(1, length, 1);
  }

  dispose(): void {
    for (const material of [this.discMaterial, this.bladeMaterial, this.arrowMaterial]) material.dispose();
  }
}

function blade(radiusM: number, side: number, material: MeshStandardMaterial): Mesh {
  const mesh = new Mesh(new CylinderGeometry(radiusM * 0.05, radiusM * 0.09, radiusM * 0.94, 8), material);
  mesh.scale.z = 0.16;
  mesh.rotation.z = side > 0 ? -Math.PI / 2 : Math.PI / 2;
  mesh.position.x = side * radiusM * 0.49;
  return mesh;
}
