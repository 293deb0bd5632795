/** A drawing: lines, dots and texts in pixels; later shapes cover earlier ones. It can be rendered as SVG or PNG. */
export interface Line {
  readonly shape: "line";
  /** x, y, x, y … */
  readonly points: readonly number[];
  readonly colour: string;
  readonly width: number;
}

export interface Dot {
  readonly shape: "dot";
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
}

export interface Label {
  readonly shape: "label";
  readonly x: number;
  /** The base line. */
  readonly y: number;
  readonly text: string;
  readonly size: number;
  readonly colour: string;
  readonly anchor: "start" | "middle" | "end";
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** Text alternative for screen readers. */
  readonly title: string;
  readonly shapes: readonly (Line | Dot | Label)[];
}
