/**
 * Draws a multirotor from its definition: hull, arms to the real hubs, discs of the real radius, feet.
 *
 * Everything is in body axes (forward, right, down), so the position and the quaternion of the flight apply directly.
 */
import { CapsuleGeometry, Group, type Material, Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { FlightDefinition } from "@escapement/core";
import type { Palette } from "./palette.ts";
import { Rotor, type RotorView } from "./rotor.ts";
import { type Place, rod } from "./shapes.ts";

type Vehicle = FlightDefinition["vehicle"];

/** The position and attitude of the vehicle, and the state of its rotors. */
interface VehiclePose {
  readonly posNed: ArrayLike<number>;
  /** w, x, y, z. */
  readonly q: ArrayLike<number>;
  readonly rotors: readonly RotorView[];
}

/** A quadrotor of half a metre, drawn for flights without a definition, such as logs. */
const DEFAULT_VEHICLE: Pick<Vehicle, "massKg"> & { readonly arms: readonly (readonly [number, number, number])[] } = {
  massKg: 1.5,
  arms: [
    [0.18, 0.22, -0.03],
    [-0.18, -0.22, -0.03],
    [0.18, -0.22, -0.03],
    [-0.18, 0.22, -0.03],
  ],
};
const DEFAULT_RADIUS_M = 0.127;

export class VehicleModel {
  readonly node = new Group();
  readonly rotors: readonly Rotor[];
  /** Distance from the centre to the farthest blade tip. */
  readonly radiusM: number;
  private readonly materials: Material[] = [];

  constructor(vehicle: Vehicle | undefined, palette: Palette, ghost?: { readonly colour: string }) {
    const opacity = ghost === undefined ? 1 : 0.38;
    const paint = (colour: Palette["body"], roughness = 0.55) => {
      const material = new MeshStandardMaterial({
        color: ghost === undefined ? colour : ghost.colour,
        roughness,
        metalness: 0,
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity === 1,
      });
      this.materials.push(material);
      return material;
    };
    const hubs = hubsOf(vehicle);
    const discRadius = vehicle?.propulsion.radiusM ?? DEFAULT_RADIUS_M;
    this.radiusM = Math.max(...hubs.map(([x, y]) => Math.hypot(x, y))) + discRadius;
    const hull = hullOf(vehicle, this.radiusM);
    const arm = paint(palette.arm);
    this.addHull(hull, paint(palette.body), paint(palette.canopy, 0.35), paint(palette.nose, 0.4));
    for (const hub of hubs) this.addArm(hub, hull, discRadius, arm);
    this.addFeet(vehicle, hull, arm);
    const weightPerRotorN = ((vehicle?.massKg ?? DEFAULT_VEHICLE.massKg) * 9.81) / hubs.length;
    this.rotors = hubs.map((hub, i) => {
      const rotor = new Rotor({
        hub,
        axis: vehicle?.rotors[i]?.axis ?? [0, 0, 1],
        // `direction` is the direction of the reaction torque. The rotor turns the opposite way.
        turns: -(vehicle?.rotors[i]?.direction ?? (i < 2 ? 1 : -1)),
        radiusM: discRadius,
        weightN: weightPerRotorN,
        palette,
        opacity,
      });
      this.node.add(rotor.node);
      return rotor;
    });
    this.node.traverse((part) => {
      if (part instanceof Mesh && ghost === undefined) part.castShadow = true;
    });
  }

  show({ posNed, q, rotors }: VehiclePose, timeS: number): void {
    this.node.position.set(posNed[0]!, posNed[1]!, posNed[2]!);
    this.node.quaternion.set(q[1]!, q[2]!, q[3]!, q[0]!);
    this.rotors.forEach((rotor, i) => {
      const view = rotors[i];
      if (view !== undefined) rotor.show(view, timeS);
    });
  }

  dispose(): void {
    this.node.traverse((part) => {
      if (part instanceof Mesh) part.geometry.dispose();
    });
    for (const material of this.materials) material.dispose();
    for (const rotor of this.rotors) rotor.dispose();
  }

  private addHull([length, width, height]: Size, body: Material, canopy: Material, nose: Material): void {
    const box = new Mesh(new RoundedBoxGeometry(length, width, height * 0.55, 4, height * 0.24), body);
    const dome = new Mesh(new CapsuleGeometry(width * 0.32, length * 0.34, 6, 20), canopy);
    dome.rotation.z = Math.PI / 2;
    dome.scale.z = 0.55;
    dome.position.set(length * 0.04, 0, -height * 0.27);
    const tip = new Mesh(new SphereGeometry(height * 0.26, 20, 12), nose);
    tip.scale.set(0.9, 1.25, 0.72);
    tip.position.set(length * 0.5, 0, -height * 0.02);
    this.node.add(box, dome, tip);
  }

  private addArm(hub: Place, [, width, height]: Size, discRadius: number, material: Material): void {
    const [x, y, z] = hub;
    const rootScale = (0.45 * width) / Math.max(Math.hypot(x, y), 1e-6);
    const thickness = Math.max(0.006, discRadius * 0.075);
    const from: Place = [x * rootScale, y * rootScale, 0];
    this.node.add(
      rod(from, [x, y, z + height * 0.25], thickness, material, 0.75),
      rod([x, y, z + height * 0.38], [x, y, z - 0.004], discRadius * 0.15, material, 0.85),
    );
  }

  private addFeet(vehicle: Vehicle | undefined, [length, width, height]: Size, material: Material): void {
    const feet = vehicle?.contact.feet ?? [];
    for (const { positionM } of feet) {
      const [x, y, z] = positionM as unknown as Place;
      const root: Place = [clamp(x, length * 0.38), clamp(y, width * 0.38), height * 0.1];
      const knob = new Mesh(new SphereGeometry(0.009, 12, 8), material);
      knob.position.set(x, y, z - 0.006);
      this.node.add(rod(root, [x, y, z - 0.006], 0.0065, material), knob);
    }
  }
}

type Size = readonly [length: number, width: number, height: number];

function hubsOf(vehicle: Vehicle | undefined): readonly Place[] {
  const rotors = vehicle?.rotors ?? [];
  if (rotors.length === 0) return DEFAULT_VEHICLE.arms;
  return rotors.map(({ positionM }) => positionM as unknown as Place);
}

/** Returns the hull size of the definition, or else a size in proportion to the vehicle. */
function hullOf(vehicle: Vehicle | undefined, radiusM: number): Size {
  const [length = 0, width = 0, height = 0] = vehicle?.contact.hullSizeM ?? [];
  if (length > 0 && width > 0 && height > 0) return [length, width, height];
  return [radiusM * 0.6, radiusM * 0.38, radiusM * 0.22];
}

function clamp(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
