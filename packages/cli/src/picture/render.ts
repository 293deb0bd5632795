/** Renders a drawing in the format that the extension of its file selects: PNG, or SVG without fonts and scripts. */
import { extname } from "node:path";
import { cliErrors } from "../errors.ts";
import { STANDARD_STREAM } from "../load/read-files.ts";
import type { Drawing, Shape } from "./drawing.ts";
import { toPng } from "./png.ts";

type PictureKind = "svg" | "png";

export function render(drawing: Drawing, path: string): string | Uint8Array {
  return pictureKind(path) === "svg" ? toSvg(drawing) : toPng(drawing);
}

/** Returns the format that the extension selects. Throws a typed error if the extension is unknown. */
export function pictureKind(path: string): PictureKind {
  if (path === STANDARD_STREAM) return "svg";
  const extension = extname(path).toLowerCase();
  if (extension === ".svg" || extension === ".png") return extension.slice(1) as PictureKind;
  throw cliErrors.unknownPicture({
    what: "the file name does not select a picture format",
    where: { file: path },
    fix: "use a name that ends in .svg or .png",
  });
}

export function toSvg({ width, height, background, title, shapes }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...shapes.map(shapeText),
    "</svg>",
    "",
  ].join("\n");
}

function shapeText(shape: Shape): string {
  switch (shape.shape) {
    case "line":
      return `<polyline points="${pointsText(shape.points)}" fill="none" stroke="${shape.colour}" stroke-width="${shape.width}" stroke-linejoin="round"/>`;
    case "dot":
      return `<circle cx="${short(shape.x)}" cy="${short(shape.y)}" r="${shape.radius}" fill="${shape.colour}"/>`;
    case "label":
      return `<text x="${short(shape.x)}" y="${short(shape.y)}" font-size="${shape.size}" text-anchor="${shape.anchor}" fill="${shape.colour}">${escapeXml(shape.text)}</text>`;
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

function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
