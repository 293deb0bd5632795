/** Random texts: words of the language, names, numbers and noise in any order. */
import { RandomStream } from "../../../packages/core/src/random/index.ts";
import { UNIT_NAMES } from "../../../packages/core/src/quantities/index.ts";
import { WORDS } from "../../../packages/core/src/requirements/parser.ts";

const PIECES: readonly string[] = [
  ...WORDS,
  "altitude",
  "tilt",
  "posNed",
  "landed",
  "navState",
  "motorOff",
  "missionItem",
  "norm",
  "abs",
  "batteryVoltage",
  "(",
  ")",
  "[",
  "]",
  ".",
  "..",
  ":",
  ",",
  "+",
  "-",
  "*",
  "/",
  ">",
  ">=",
  "<",
  "<=",
  "==",
  "!=",
  '"',
  "@",
  "é",
  "\n",
  "0",
  "1",
  "2.5",
  "1e3",
  "1e400",
  "land",
  "n",
  "x",
  "3 s",
  "2 m",
  "10 s..20 s",
  "always altitude > 2 m",
];

export function* randomTexts(count: number, seed: number): Generator<string> {
  const random = new RandomStream(seed, "texts");
  const below = (limit: number) => Math.floor(random.uniform() * limit);
  for (let i = 0; i < count; i += 1) {
    const pieces = Array.from({ length: 1 + below(12) }, () => {
      const piece = PIECES[below(PIECES.length)]!;
      return below(8) === 0 ? `${piece} ${UNIT_NAMES[below(UNIT_NAMES.length)]}` : piece;
    });
    yield pieces.join(below(4) === 0 ? "" : " ");
  }
}
