/** Small shapes that several parts of the scene use. */
import { ConeGeometry, CylinderGeometry, Group, type Material, Mesh, Quaternion, Vector3 } from "three";

export type Place = readonly [x: number, y: number, z: number];

const UP = new Vector3(0, 1, 0);

/** Makes a rod between two points. */
export function rod(from: Place, to: Place, radius: number, material: Material, taper = 1): Mesh {
  const [a, b] = [new Vector3(...from), new Vector3(...to)];
  const axis = new Vector3().subVectors(b, a);
  const mesh = new Mesh(new CylinderGeometry(radius * taper, radius, axis.length(), 12), material);
  mesh.position.addVectors(a, b).multiplyScalar(0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, axis.normalize()));
  return mesh;
}

/** Makes an arrow of length 1 along +y; the caller scales it. */
export function arrow(material: Material, radius: number): Group {
  const group = new Group();
  const shaft = new Mesh(new CylinderGeometry(radius, radius, 0.8, 10), material);
  shaft.position.y = 0.4;
  const head = new Mesh(new ConeGeometry(radius * 2.8, 0.24, 14), material);
  head.position.y = 0.88;
  group.add(shaft, head);
  return group;
}
