/** Labels of places in the scene, as elements over the canvas, so that they are sharp and never clipped. */
import { type Camera, Vector3 } from "three";
import { element } from "../../shared/elements.ts";

interface Label {
  readonly node: HTMLElement;
  readonly place: Vector3;
}

/** A vehicle that is too far away to be seen, and is marked with a small ring. */
interface FarVehicle {
  readonly x: number;
  readonly y: number;
  readonly colour: string;
}

/** Distance of a label above its place. */
const LIFT_PX = 16;
/** If labels are closer together than this, only the label nearest to the camera is shown. */
const MIN_SPACING_PX = { x: 46, y: 18 };
/** Labels farther away than this are not drawn, because they would be too crowded to read. */
const MAX_DISTANCE_M = 220;

export class Labels {
  readonly node = element("div", "labels");
  private labels: Label[] = [];
  private readonly rings: HTMLElement[] = [];
  private readonly at = new Vector3();
  private readonly speed = element("span", "label gust-speed");

  /** Sets the labels: places in NED with their texts. */
  set(
    places: readonly { readonly text: string; readonly north: number; readonly east: number; readonly down: number }[],
  ): void {
    this.node.replaceChildren(...this.rings, this.speed);
    this.labels = places.map(({ text, north, east, down }) => {
      const node = element("span", "label", text);
      this.node.append(node);
      return { node, place: new Vector3(east, -down, -north) };
    });
  }

  /** Shows rings around vehicles that are too far away to be seen. */
  showFar(vehicles: readonly FarVehicle[]): void {
    while (this.rings.length < vehicles.length) {
      const ring = element("span", "far-vehicle");
      this.rings.push(ring);
      this.node.append(ring);
    }
    this.rings.forEach((ring, i) => {
      const found = vehicles[i];
      ring.hidden = found === undefined;
      if (found === undefined) return;
      ring.style.borderColor = found.colour;
      ring.style.transform = `translate(-50%, -50%) translate(${found.x.toFixed(1)}px, ${found.y.toFixed(1)}px)`;
    });
  }

  /** Shows the speed of a gust at the tip of its arrow, or hides it. */
  showSpeed(tip: { readonly x: number; readonly y: number; readonly mps: number } | undefined): void {
    this.speed.hidden = tip === undefined;
    if (tip === undefined) return;
    this.speed.textContent = `${tip.mps.toFixed(1)} m/s`;
    this.speed.style.transform = `translate(-50%, 12px) translate(${tip.x.toFixed(1)}px, ${tip.y.toFixed(1)}px)`;
  }

  /** Positions the labels. `covered` holds the parts of the scene under other elements, which get no label. */
  update(camera: Camera, widthPx: number, heightPx: number, covered: readonly DOMRect[]): void {
    const shown: { x: number; y: number }[] = [];
    const byDistance = [...this.labels].sort(
      (a, b) => a.place.distanceToSquared(camera.position) - b.place.distanceToSquared(camera.position),
    );
    for (const { node, place } of byDistance) {
      this.at.copy(place).project(camera);
      const [x, y] = [((this.at.x + 1) / 2) * widthPx, ((1 - this.at.y) / 2) * heightPx - LIFT_PX];
      const isInView = this.at.z < 1 && x > 8 && x < widthPx - 8 && y > 8 && y < heightPx - 8;
      const isCovered = covered.some(
        ({ left, right, top, bottom }) => x > left - 20 && x < right + 20 && y > top - 8 && y < bottom + 8,
      );
      const isFree = shown.every(
        (other) => Math.abs(other.x - x) > MIN_SPACING_PX.x || Math.abs(other.y - y) > MIN_SPACING_PX.y,
      );
      const isNear = place.distanceTo(camera.position) < MAX_DISTANCE_M;
      node.hidden = !(isInView && isFree && isNear) || isCovered;
      if (node.hidden) continue;
      shown.push({ x, y });
      node.style.transform = `translate(-50%, -50%) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}
