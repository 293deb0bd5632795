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
const FAILSAFES = ["none", "battery low", "battery critical", "battery emergency", "attitude failure", "estimate lost"];

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
      ...watch("landDetected", 3, (value, before) =>
        value === 3 ? info("landed") : before === 3 ? info("take-off") : undefined,
      ),
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
