/**
 * Renders a drawing as PNG: anti-aliased lines of any width on a plain background, deflated by Node.
 *
 * Every shape is a sequence of capsules (a segment and everything within half the line width of it). The coverage of a
 * pixel depends on the distance of its centre from the segment, for dots, lines and letters alike.
 */
import { crc32, deflateSync } from "node:zlib";
import type { Drawing } from "./drawing.ts";
import { textStrokes, textWidth } from "./stroke-font.ts";

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const TRUE_COLOUR = 2;

class Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, background: string) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(3 * width * height);
    const colour = rgb(background);
    for (let i = 0; i < this.pixels.length; i += 1) this.pixels[i] = colour[i % 3]!;
  }

  drawLine(points: readonly number[], width: number, colour: string): void {
    // Use one coverage map for the whole line, so that no pixel is painted twice at the joints of segments.
    const coverage = new Map<number, number>();
    const last = Math.max(points.length - 2, 2);
    for (let i = 0; i + 2 <= last; i += 2) {
      this.capsule(
        coverage,
        points[i]!,
        points[i + 1]!,
        points[i + 2] ?? points[i]!,
        points[i + 3] ?? points[i + 1]!,
        width / 2,
      );
    }
    const ink = rgb(colour);
    for (const [pixel, alpha] of coverage) {
      for (let k = 0; k < 3; k += 1) {
        const at = 3 * pixel + k;
        this.pixels[at] = Math.round(this.pixels[at]! + alpha * (ink[k]! - this.pixels[at]!));
      }
    }
  }

  private capsule(coverage: Map<number, number>, x0: number, y0: number, x1: number, y1: number, radius: number): void {
    const reach = radius + 1;
    const [left, right] = [
      Math.max(0, Math.floor(Math.min(x0, x1) - reach)),
      Math.min(this.width - 1, Math.ceil(Math.max(x0, x1) + reach)),
    ];
    const [top, bottom] = [
      Math.max(0, Math.floor(Math.min(y0, y1) - reach)),
      Math.min(this.height - 1, Math.ceil(Math.max(y0, y1) + reach)),
    ];
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length2 = dx * dx + dy * dy;
    for (let py = top; py <= bottom; py += 1) {
      for (let px = left; px <= right; px += 1) {
        const [qx, qy] = [px + 0.5 - x0, py + 0.5 - y0];
        const along = length2 === 0 ? 0 : Math.min(1, Math.max(0, (qx * dx + qy * dy) / length2));
        const alpha = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(qx - along * dx, qy - along * dy)));
        const at = py * this.width + px;
        if (alpha > (coverage.get(at) ?? 0)) coverage.set(at, alpha);
      }
    }
  }
}

export function toPng({ width, height, background, shapes }: Drawing): Uint8Array {
  const canvas = new Canvas(width, height, background);
  for (const shape of shapes) {
    if (shape.shape === "line") canvas.drawLine(shape.points, shape.width, shape.colour);
    else if (shape.shape === "dot")
      canvas.drawLine([shape.x, shape.y, shape.x, shape.y], 2 * shape.radius, shape.colour);
    else {
      const textPixels = textWidth(shape.text, shape.size);
      const x = shape.x - (shape.anchor === "end" ? textPixels : shape.anchor === "middle" ? textPixels / 2 : 0);
      for (const stroke of textStrokes(shape.text, x, shape.y, shape.size))
        canvas.drawLine(stroke, shape.size / 11, shape.colour);
    }
  }
  return encodePng(canvas);
}

function encodePng({ width, height, pixels }: Canvas): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(3 * width * y, 3 * width * (y + 1)), y * (1 + 3 * width) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

function rgb(colour: string): readonly [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
