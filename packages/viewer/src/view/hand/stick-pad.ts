/** A stick on the screen: shows its position, and moves with the pointer. */
import { element } from "../../shared/elements.ts";

export class StickPad {
  readonly node: HTMLElement;
  /** Position set by the pointer, right and up; 0, 0 if the stick is not held. */
  x = 0;
  y = 0;
  private readonly knob = element("i", "");

  constructor(label: string) {
    this.node = element("div", "stick-pad", this.knob, element("span", "", label));
    this.node.setAttribute("role", "img");
    this.node.setAttribute("aria-label", `Stick: ${label}. The keys move it too.`);
    this.node.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.node.setPointerCapture(event.pointerId);
      this.follow(event);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (this.node.hasPointerCapture(event.pointerId)) this.follow(event);
    });
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.node.addEventListener(type, () => this.release());
    }
  }

  release(): void {
    this.x = this.y = 0;
  }

  show(x: number, y: number): void {
    this.knob.style.translate = `${34 * x}px ${-34 * y}px`;
  }

  private follow({ clientX, clientY }: PointerEvent): void {
    const { left, top, width, height } = this.node.getBoundingClientRect();
    const toAxis = (at: number, size: number) => Math.max(-1, Math.min(1, (2.6 * at) / size - 1.3));
    this.x = toAxis(clientX - left, width);
    this.y = -toAxis(clientY - top, height);
  }
}
