/** Renders a drawing as SVG: one file without fonts or scripts. */
import type { Dot, Drawing, Label, Line } from "./drawing.ts";

export function toSvg({ width, height, background, title, shapes }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...shapes.map(shapeText),
    "</svg>",
    "",
  ].join("\n");
}

function shapeText(shape: Line | Dot | Label): string {
  switch (shape.shape) {
    case "line":
      return `<polyline points="${pointsText(shape.points)}" fill="none" stroke="${shape.colour}" stroke-width="${shape.width}" stroke-linejoin="round"/>`;
    case "dot":
      return `<circle cx="${short(shape.x)}" cy="${short(shape.y)}" r="${shape.radius}" fill="${shape.colour}"/>`;
    case "label":
      return `<text x="${short(shape.x)}" y="${short(shape.y)}" font-size="${shape.size}" text-anchor="${shape.anchor}" fill="${shape.colour}">${escaped(shape.text)}</text>`;
  }
}

function pointsText(points: readonly number[]): string {
  const pairs: string[] = [];
  for (let i = 0; i < points.length; i += 2) pairs.push(`${short(points[i]!)},${short(points[i + 1]!)}`);
  return pairs.join(" ");
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
