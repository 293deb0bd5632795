/** The shape of a point for each verdict, and the drawing order: violations are drawn last, on top. */
import type { TableColumn } from "./point-table.ts";

/** In drawing order. A flight without a result has no verdict (undefined). */
export const VERDICTS = ["holds", "untested", "undecided", undefined, "violated"] as const;

export function verdictOrder(verdict: TableColumn | undefined, size: number): Uint32Array {
  if (verdict === undefined) return Uint32Array.from({ length: size }, (_, i) => i);
  const ranks = new Map<string | undefined, number>(VERDICTS.map((word, i) => [word, i]));
  const buckets: number[][] = VERDICTS.map(() => []);
  for (let i = 0; i < size; i += 1) buckets[ranks.get(verdict.words?.[verdict.numbers[i]!]) ?? 3]!.push(i);
  return Uint32Array.from(buckets.flat());
}

const SIZE = 3.2;

/** Draws a dot (holds), a cross (violated), a square (undecided), a diamond (untested) or a plus (no result). */
export function drawMark(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  verdict: string | undefined,
  colour: string,
): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  context.beginPath();
  if (verdict === "holds") {
    context.arc(x, y, SIZE - 0.4, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  if (verdict === "violated") {
    context.moveTo(x - SIZE, y - SIZE);
    context.lineTo(x + SIZE, y + SIZE);
    context.moveTo(x - SIZE, y + SIZE);
    context.lineTo(x + SIZE, y - SIZE);
  } else if (verdict === "undecided") context.rect(x - SIZE, y - SIZE, 2 * SIZE, 2 * SIZE);
  else if (verdict === "untested") {
    context.moveTo(x, y - SIZE - 1);
    context.lineTo(x + SIZE + 1, y);
    context.lineTo(x, y + SIZE + 1);
    context.lineTo(x - SIZE - 1, y);
    context.closePath();
  } else {
    context.moveTo(x - SIZE - 1, y);
    context.lineTo(x + SIZE + 1, y);
    context.moveTo(x, y - SIZE - 1);
    context.lineTo(x, y + SIZE + 1);
  }
  context.stroke();
}
