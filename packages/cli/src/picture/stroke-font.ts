/**
 * Letters made of strokes on a grid of four by six, drawn with the same lines as everything else in a PNG.
 *
 * A glyph is a list of strokes, a stroke is a list of points, and a point is two digits: the column from 0 (left) to 4,
 * and the row from 0 (base line) to 6 (top). Rows 7 and 8 are one and two rows below the base line.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  "0": "10 30 42 44 36 16 04 02 10,04 42",
  "1": "14 26 20,10 30",
  "2": "04 15 35 44 43 00 40",
  "3": "06 46 24 34 42 41 30 10 01",
  "4": "30 36 02 42",
  "5": "46 06 04 34 43 41 30 00",
  "6": "36 16 04 01 10 30 41 42 33 03",
  "7": "06 46 10",
  "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
  "9": "10 30 42 45 36 16 05 04 13 43",
  a: "04 34 43 40 10 01 02 43",
  b: "06 00 30 41 43 34 04",
  c: "44 14 03 01 10 40",
  d: "46 40 10 01 03 14 44",
  e: "02 42 43 34 14 03 01 10 40",
  f: "46 26 15 10,04 34",
  g: "44 14 03 01 10 40,44 47 38 08",
  h: "06 00,04 34 43 40",
  i: "24 20,26 25",
  j: "34 37 28 18,36 35",
  k: "06 00,44 02 40,13 13",
  l: "16 26 20,10 30",
  m: "00 04 14 23 20,23 34 43 40",
  n: "00 04 34 43 40",
  o: "10 01 03 14 34 43 41 30 10",
  p: "08 04 34 43 41 30 00",
  q: "48 44 14 03 01 10 40",
  r: "00 04,02 24 44",
  s: "44 14 03 33 41 30 00",
  t: "16 11 20 40,04 34",
  u: "04 01 10 40 44",
  v: "04 20 44",
  w: "04 10 23 30 44",
  x: "04 40,00 44",
  y: "04 20,44 08",
  z: "04 44 00 40",
  A: "00 26 40,12 32",
  B: "00 06 36 45 44 33 41 30 00,03 33",
  C: "46 16 05 01 10 40",
  D: "00 06 26 44 42 20 00",
  E: "46 06 00 40,03 33",
  F: "46 06 00,03 33",
  G: "46 16 05 01 10 40 43 23",
  H: "00 06,40 46,03 43",
  I: "10 30,16 36,26 20",
  J: "46 41 30 10 01",
  K: "00 06,46 03 40",
  L: "06 00 40",
  M: "00 06 23 46 40",
  N: "00 06 40 46",
  O: "10 30 41 45 36 16 05 01 10",
  P: "00 06 36 45 44 33 03",
  Q: "10 30 41 45 36 16 05 01 10,22 40",
  R: "00 06 36 45 44 33 03,23 40",
  S: "46 16 05 04 13 33 42 41 30 00",
  T: "06 46,26 20",
  U: "06 01 10 30 41 46",
  V: "06 20 46",
  W: "06 10 24 30 46",
  X: "06 40,00 46",
  Y: "06 23 46,23 20",
  Z: "06 46 00 40",
  ".": "20 20",
  ",": "20 17",
  ":": "20 20,24 24",
  "-": "03 43",
  "+": "03 43,21 25",
  "(": "36 25 21 30",
  ")": "16 25 21 10",
  "/": "00 46",
  "%": "00 46,05 05,41 41",
  "=": "02 42,04 44",
  _: "00 40",
  "'": "26 24",
  "?": "05 16 36 45 33 22,20 20",
  "·": "23 23",
  "°": "15 25 26 16 15",
};

const ADVANCE = 6;
const GRID_HEIGHT = 6;
/** Height of a capital letter as a fraction of the font size. */
const CAP = 0.62;

/** Returns the strokes of a text in pixels. The text starts at x, and y is its base line. */
export function textStrokes(text: string, x: number, y: number, size: number): number[][] {
  const unit = (size * CAP) / GRID_HEIGHT;
  return [...text].flatMap((letter, i) => {
    const glyph = GLYPHS[letter] ?? (letter === " " ? "" : GLYPHS["?"]!);
    if (glyph === "") return [];
    return glyph.split(",").map((stroke) =>
      stroke.split(" ").flatMap((point) => {
        const row = Number(point[1]);
        return [x + (i * ADVANCE + Number(point[0])) * unit, y - (row > GRID_HEIGHT ? GRID_HEIGHT - row : row) * unit];
      }),
    );
  });
}

export function textWidth(text: string, size: number): number {
  return Math.max(0, [...text].length * ADVANCE - 2) * ((size * CAP) / GRID_HEIGHT);
}
