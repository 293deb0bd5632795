/**
 * Derives the text messages of a ULog from changes between rows. Their texts are mostly those of the flight's events.
 */
import {
  columnName,
  EVENT_TEXTS,
  SIGNALS,
  valueName,
  type Column,
  type Readable,
  type SignalName,
  type SignalSpec,
} from "@escapement/core";

interface LogMessage {
  /** Log level: 6 for information, 4 for a warning. */
  readonly level: number;
  readonly text: string;
}

type Describe = (value: number, before: number) => LogMessage | undefined;

interface Watched {
  readonly index: number;
  readonly describe: Describe;
  before: number;
}

const info = (text: string): LogMessage => ({ level: 6, text });
const warning = (text: string): LogMessage => ({ level: 4, text });
const { armed: ARMED, landDetected: LAND, missionFinished: MISSION, failsafe: FAILSAFE } = SIGNALS;
const NOTHING: readonly LogMessage[] = [];

export class EventMessages {
  private readonly watched: readonly Watched[];

  constructor(columns: readonly Column[]) {
    const watch = (name: SignalName, before: number, describe: Describe): Watched[] => {
      const spec: SignalSpec = SIGNALS[name];
      const index = columns.findIndex((column) => column.name === columnName(name, undefined, spec.unit));
      return index < 0 ? [] : [{ index, describe, before }];
    };
    this.watched = [
      ...watch("armed", ARMED.initial, (value) =>
        info(value === ARMED.values.armed ? EVENT_TEXTS.armed({}) : EVENT_TEXTS.disarmed({})),
      ),
      ...watch("navState", NaN, (value) => info(EVENT_TEXTS.mode({ mode: valueName("navState", value) }))),
      // The first row is the initial state, not a change.
      ...watch("landDetected", NaN, (value, before) => {
        if (before === LAND.values.landed) return info(EVENT_TEXTS.liftOff({}));
        return value === LAND.values.landed && !Number.isNaN(before) ? info("landed") : undefined;
      }),
      ...watch("missionReached", SIGNALS.missionReached.initial, (value) =>
        value >= 0 ? info(`mission item ${value} reached`) : undefined,
      ),
      ...watch("missionFinished", MISSION.initial, (value) =>
        value === MISSION.values.finished ? info(EVENT_TEXTS.missionFinished({})) : undefined,
      ),
      ...watch("failsafe", FAILSAFE.initial, (value) =>
        value === FAILSAFE.values.none
          ? info("failsafe over")
          : warning(EVENT_TEXTS.failsafe({ cause: valueName("failsafe", value) })),
      ),
    ];
  }

  /** Returns messages for everything that changed since the previous row. */
  messages(row: Readable): readonly LogMessage[] {
    let messages: LogMessage[] | undefined;
    for (let i = 0; i < this.watched.length; i += 1) {
      const watched = this.watched[i]!;
      const value = row[watched.index]!;
      if (value === watched.before) continue;
      const message = watched.describe(value, watched.before);
      watched.before = value;
      if (message !== undefined) (messages ??= []).push(message);
    }
    return messages ?? NOTHING;
  }
}
