/** A drawing: lines, dots and texts in pixels; later shapes cover earlier ones. It can be rendered as SVG or PNG. */
export const INK = "#222222";

/** The colours of Okabe and Ito, which people with colour vision deficiency can distinguish. */
export const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"] as const;

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

export type Shape = Line | Dot | Label;

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  /** Text alternative for screen readers. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

export function label(x: number, y: number, text: string, size: number, anchor: Label["anchor"], colour = INK): Label {
  return { shape: "label", x, y, text, size, anchor, colour };
}
