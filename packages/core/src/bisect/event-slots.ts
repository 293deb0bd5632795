/**
 * Aligns the events of two scenarios: finds which events are the same, and which were added, removed or changed.
 *
 * The alignment keeps the order of the events of each scenario and has the fewest differences (edit distance). Two
 * events count as one changed event if they have the same action, the same name, or the same values of all keys except
 * the action, the name and the note.
 */
import type { PlainObject } from "../params/index.ts";
import { canonicalJson } from "../describe/definition/canonical.ts";
import { EVENT_KEYS } from "../describe/sections/scenario-spec.ts";

/** An event of one of the flights, as the flight's description writes it, and its number in that description. */
interface SlotEvent {
  readonly number: number;
  readonly spec: PlainObject;
}

/** A position in the common order of events, with the event of each flight. */
export interface EventSlot {
  readonly action: string;
  /** True if both flights have the same event here. */
  readonly isCommon: boolean;
  readonly good?: SlotEvent;
  readonly bad?: SlotEvent;
}

/** Returns the action of an event as a description writes it. */
export function actionIn(event: PlainObject): string {
  return Object.keys(event).find((key) => !Object.hasOwn(EVENT_KEYS, key))!;
}

export function alignEvents(good: readonly PlainObject[], bad: readonly PlainObject[]): EventSlot[] {
  const cost = costs(good, bad);
  const slots: EventSlot[] = [];
  let i = 0;
  let j = 0;
  while (i < good.length || j < bad.length) {
    const here = cost[i]![j]!;
    const pair = i < good.length && j < bad.length ? pairCost(good[i]!, bad[j]!) : Infinity;
    if (pair < Infinity && here === pair + cost[i + 1]![j + 1]!) {
      slots.push(slotOf({ number: i, spec: good[i]! }, { number: j, spec: bad[j]! }, pair === 0));
      i += 1;
      j += 1;
    } else if (i < good.length && here === 1 + cost[i + 1]![j]!) {
      slots.push(slotOf({ number: i, spec: good[i]! }, undefined, false));
      i += 1;
    } else {
      slots.push(slotOf(undefined, { number: j, spec: bad[j]! }, false));
      j += 1;
    }
  }
  return slots;
}

/** Returns a table: element [i][j] counts the differences between the good events from i on and the bad from j on. */
function costs(good: readonly PlainObject[], bad: readonly PlainObject[]): Float64Array[] {
  const rows = Array.from({ length: good.length + 1 }, () => new Float64Array(bad.length + 1));
  for (let i = good.length; i >= 0; i -= 1) {
    for (let j = bad.length; j >= 0; j -= 1) {
      if (i === good.length || j === bad.length) {
        rows[i]![j] = good.length - i + bad.length - j;
        continue;
      }
      const apart = 1 + Math.min(rows[i + 1]![j]!, rows[i]![j + 1]!);
      rows[i]![j] = Math.min(apart, pairCost(good[i]!, bad[j]!) + rows[i + 1]![j + 1]!);
    }
  }
  return rows;
}

/** Returns 0 for the same event, 1 for a changed one, and infinity for a different one. */
function pairCost(good: PlainObject, bad: PlainObject): number {
  const { name: goodName, note: _note, ...a } = good;
  const { name: badName, note: _other, ...b } = bad;
  if (canonicalJson(a) === canonicalJson(b)) return 0;
  const isChanged =
    (goodName !== undefined && goodName === badName) ||
    actionIn(good) === actionIn(bad) ||
    canonicalJson(withoutKey(a, actionIn(good))) === canonicalJson(withoutKey(b, actionIn(bad)));
  return isChanged ? 1 : Infinity;
}

function withoutKey(event: PlainObject, action: string): PlainObject {
  return Object.fromEntries(Object.entries(event).filter(([key]) => key !== action));
}

function slotOf(good: SlotEvent | undefined, bad: SlotEvent | undefined, isCommon: boolean): EventSlot {
  return {
    action: actionIn((bad ?? good)!.spec),
    isCommon,
    ...(good === undefined ? {} : { good }),
    ...(bad === undefined ? {} : { bad }),
  };
}
