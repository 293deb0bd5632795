/** A canvas that is drawn at the resolution of the screen. */

interface Drawing {
  readonly node: HTMLCanvasElement;
  /** Clears the canvas and calls `draw` with a context whose unit is the CSS pixel. */
  readonly draw: (draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) => void;
}

export function makeDrawing(className: string): Drawing {
  const node = document.createElement("canvas");
  node.className = className;
  return {
    node,
    draw: (draw) => {
      const [width, height] = [node.clientWidth, node.clientHeight];
      if (width === 0 || height === 0) return;
      const scale = Math.min(window.devicePixelRatio || 1, 3);
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (node.width !== w) node.width = w;
      if (node.height !== h) node.height = h;
      const context = node.getContext("2d")!;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      draw(context, width, height);
    },
  };
}
