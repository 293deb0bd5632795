/** A canvas that is drawn at the resolution of the screen. */

type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

interface Drawing {
  readonly node: HTMLCanvasElement;
  /** Clears the canvas and calls `draw` with a context whose unit is the CSS pixel. */
  readonly draw: (draw: Draw) => void;
}

/**
 * The size of the canvas is cached until it changes, because reading it from the element makes the browser compute the
 * layout again. A canvas whose size has changed draws its last drawing again.
 */
export function makeDrawing(className: string): Drawing {
  const node = document.createElement("canvas");
  node.className = className;
  let size: readonly [width: number, height: number] | undefined;
  let last: Draw | undefined;
  const paint = (draw: Draw) => {
    const [width, height] = (size ??= [node.clientWidth, node.clientHeight]);
    if (width === 0 || height === 0) return;
    const scale = Math.min(window.devicePixelRatio || 1, 3);
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (node.width !== w) node.width = w;
    if (node.height !== h) node.height = h;
    const context = node.getContext("2d")!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  };
  new ResizeObserver(() => {
    size = undefined;
    if (last !== undefined) paint(last);
  }).observe(node);
  return {
    node,
    draw: (draw) => {
      last = draw;
      paint(draw);
    },
  };
}
