/** What happened in a flight, in words: the log texts of a ULog, made from what changes between rows. */
import { columnName, SIGNALS, type Column, type Readable, type SignalName, type SignalSpec } from "@escapement/core";

export interface Line {
  /** 6 information, 4 warning. */
  readonly level: number;
  readonly text: string;
}

const MODES: { readonly [navState: number]: string } = {
  0: "manual",
  2: "position",
  3: "mission",
  4: "hold",
  5: "return",
  12: "descend",
  13: "termination",
  14: "offboard",
  17: "take-off",
  18: "land",
};
const FAILSAFES = [
  "none",
  "battery low",
  "battery critical",
  "battery emergency",
  "attitude failure",
  "estimate lost",
  "outside the fence",
];

interface Watched {
  readonly index: number;
  readonly tell: (value: number, before: number) => Line | undefined;
  before: number;
}

const info = (text: string): Line => ({ level: 6, text });

export class Narrator {
  private readonly watched: readonly Watched[];

  constructor(columns: readonly Column[]) {
    const watch = (name: SignalName, initial: number, tell: Watched["tell"]): Watched[] => {
      const spec: SignalSpec = SIGNALS[name];
      const index = columns.findIndex((column) => column.name === columnName(name, undefined, spec.unit));
      return index < 0 ? [] : [{ index, tell, before: initial }];
    };
    this.watched = [
      ...watch("armed", 0, (value) => info(value !== 0 ? "armed" : "disarmed")),
      ...watch("navState", NaN, (value) => info(`mode ${MODES[value] ?? value}`)),
      // The first row says how things stand, which is no event.
      ...watch("landDetected", NaN, (value, before) => {
        if (before === 3) return info("take-off");
        return value === 3 && !Number.isNaN(before) ? info("landed") : undefined;
      }),
      ...watch("missionReached", -1, (value) => (value >= 0 ? info(`mission item ${value} reached`) : undefined)),
      ...watch("missionFinished", 0, (value) => (value !== 0 ? info("mission finished") : undefined)),
      ...watch("failsafe", 0, (value) =>
        value !== 0 ? { level: 4, text: `failsafe: ${FAILSAFES[value] ?? value}` } : info("failsafe over"),
      ),
    ];
  }

  tell(row: Readable): readonly Line[] {
    let lines: Line[] | undefined;
    for (let i = 0; i < this.watched.length; i += 1) {
      const watched = this.watched[i]!;
      const value = row[watched.index]!;
      if (value === watched.before) continue;
      const line = watched.tell(value, watched.before);
      watched.before = value;
      if (line !== undefined) (lines ??= []).push(line);
    }
    return lines ?? NOTHING;
  }
}

const NOTHING: readonly Line[] = [];
