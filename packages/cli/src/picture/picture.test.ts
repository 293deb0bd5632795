/** Pictures of flights: valid XML and PNG, everything inside the frame. */
import { crc32, inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { coreRegistry, flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";
import { tickStep, tickText, ticks } from "./axes.ts";
import type { Drawing, Label, Line } from "./drawing.ts";
import { flightPicture } from "./flight-picture.ts";
import { toPng } from "./png.ts";
import { textStrokes, textWidth } from "./stroke-font.ts";
import { toSvg } from "./render.ts";

let picture: Drawing;
beforeAll(() => {
  const spec = {
    extends: "mission",
    name: "a <b> & c",
    timeline: { endS: 6 },
    scenario: [{ atS: 5.5, motorOff: { motor: 1 } }],
  };
  picture = flightPicture(flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry))));
});

describe("ticks", () => {
  it.each([
    [0, 10, 5, [0, 2, 4, 6, 8, 10]],
    [-3, 7, 5, [-2, 0, 2, 4, 6]],
    [0, 0.35, 4, [0, 0.1, 0.2, 0.3]],
    [118, 122, 4, [118, 119, 120, 121, 122]],
  ])("from %d to %d, at most %d steps", (low, high, maxSteps, expected) => {
    const found = ticks(low, high, maxSteps);
    expect(found).toHaveLength(expected.length);
    found.forEach((tick, i) => expect(tick).toBeCloseTo(expected[i]!, 12));
  });

  it("have only as many digits as their step needs", () => {
    expect([tickText(0.30000000000000004, 0.1), tickText(-1e-17, 0.5), tickText(20, 5), tickText(0.05, 0.01)]).toEqual([
      "0.3",
      "0.0",
      "20",
      "0.05",
    ]);
    expect(tickStep(0, 5)).toBe(1);
  });
});

describe("SVG", () => {
  it("is well-formed, and escapes user text", () => {
    const svg = toSvg(picture);
    const open = [...svg.matchAll(/<([a-z]+)[\s>]/g)].map(([, name]) => name);
    expect(open).toEqual(expect.arrayContaining(["svg", "title", "polyline", "circle", "text"]));
    expect(svg).toContain("a &lt;b&gt; &amp; c");
    expect(svg.match(/<text /g)).toHaveLength(svg.match(/<\/text>/g)!.length);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("draws failures above the path", () => {
    const texts = picture.shapes.filter((shape) => shape.shape === "label" && shape.colour === "#d55e00");
    const path = picture.shapes.find((shape) => shape.shape === "line" && shape.colour === "#009e73") as Line;
    expect(texts.length).toBeGreaterThan(0);
    const lowest = Math.max(...texts.map((text) => (text as Label).y));
    expect(Math.min(...path.points.filter((_, i) => i % 2 === 1))).toBeGreaterThan(lowest);
  });

  it("keeps everything inside its frame", () => {
    for (const shape of picture.shapes) {
      if (shape.shape !== "line") continue;
      for (let i = 0; i < shape.points.length; i += 2) {
        expect(shape.points[i]!).toBeGreaterThanOrEqual(0);
        expect(shape.points[i]!).toBeLessThanOrEqual(picture.width);
        expect(shape.points[i + 1]!).toBeGreaterThanOrEqual(0);
        expect(shape.points[i + 1]!).toBeLessThanOrEqual(picture.height);
      }
    }
  });
});

describe("PNG", () => {
  it("has complete chunks, and the pixels of its lines", () => {
    const drawing: Drawing = {
      width: 20,
      height: 10,
      background: "#ffffff",
      title: "",
      shapes: [{ shape: "line", points: [2, 5, 18, 5], colour: "#ff0000", width: 2 }],
    };
    const png = Buffer.from(toPng(drawing));
    expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < png.length;) {
      const length = png.readUInt32BE(at);
      const body = png.subarray(at + 4, at + 8 + length);
      expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
      chunks.set(body.subarray(0, 4).toString("latin1"), body.subarray(4));
      at += 12 + length;
    }
    expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
    expect([chunks.get("IHDR")!.readUInt32BE(0), chunks.get("IHDR")!.readUInt32BE(4)]).toEqual([20, 10]);
    const rows = inflateSync(chunks.get("IDAT")!);
    expect(rows).toHaveLength(10 * 61);
    const pixel = (x: number, y: number) => [...rows.subarray(61 * y + 1 + 3 * x, 61 * y + 4 + 3 * x)];
    expect(pixel(10, 4)).toEqual([255, 0, 0]);
    expect(pixel(10, 5)).toEqual([255, 0, 0]);
    expect([pixel(10, 1), pixel(0, 5)]).toEqual([
      [255, 255, 255],
      [255, 255, 255],
    ]);
  });

  it("of a flight is not blank", () => {
    expect(toPng(picture).length).toBeGreaterThan(10_000);
  });

  it("has a glyph for every letter of the labels, and a question mark for others", () => {
    const [odd, question] = [textStrokes("ж", 0, 0, 12), textStrokes("?", 0, 0, 12)];
    expect(odd).toEqual(question);
    for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-+()/%=_'·°")
      expect(textStrokes(letter, 0, 0, 12), letter).not.toEqual(question);
    expect(textWidth("ab", 12)).toBeGreaterThan(textWidth("a", 12));
  });
});
