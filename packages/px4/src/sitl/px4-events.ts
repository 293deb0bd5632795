/**
 * Texts of PX4's failsafe events, which are the only report of the reason for a failsafe. PX4 sends an event as a
 * number with arguments; the texts are part of its build.
 *
 * The id of an event is the low 24 bits of the FNV-1a hash of its name, with the autopilot's component id above them.
 */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const AUTOPILOT = 1 << 24;

const CAUSES = [
  "failsafe",
  "manual control lost",
  "ground station lost",
  "battery low",
  "battery critical",
  "battery emergency",
  "remaining flight time low",
];
const ACTIONS = [
  "no action",
  "a warning",
  "Position mode",
  "Altitude mode",
  "Stabilized mode",
  "Hold",
  "Return",
  "Land",
  "Descend",
  "disarming",
  "termination",
];

type Arguments = readonly number[];

/** The first four bytes of the arguments are the intended mode. */
const action = (given: Arguments): string => ACTIONS[given[4]!] ?? `action ${given[4]}`;
const cause = (value: number): string => CAUSES[value] ?? `cause ${value}`;
const delayS = (given: Arguments): number => given[5]! + 256 * given[6]!;

const TEXTS: { readonly [name: string]: (given: Arguments) => string } = {
  commander_failsafe_enter_generic_hold: (given) => `failsafe: ${action(given)} in ${delayS(given)} s`,
  commander_failsafe_enter_hold: (given) => `failsafe: ${cause(given[7]!)}, ${action(given)} in ${delayS(given)} s`,
  commander_failsafe_enter_autopilot_disengaged: (given) => `failsafe: autopilot disengaged, ${action(given)}`,
  commander_failsafe_enter_generic: (given) => `failsafe: ${action(given)}`,
  commander_failsafe_enter_warn: (given) => `failsafe warning: ${cause(given[4]!)}`,
  commander_failsafe_enter: (given) => `failsafe: ${cause(given[5]!)}, ${action(given)}`,
  commander_failsafe_enter_low_bat: () => "battery low, return advised",
  commander_failsafe_enter_crit_bat_warn: () => "battery critical, land now",
  commander_failsafe_enter_crit_low_bat_warn: () => "battery emergency, land immediately",
  commander_failsafe_enter_low_flight_time_warn: () => "remaining flight time low, return advised",
};

export function eventId(name: string): number {
  let hash = FNV_START;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), FNV_PRIME);
  return AUTOPILOT | (hash & 0xffffff);
}

const BY_ID = new Map(Object.entries(TEXTS).map(([name, text]) => [eventId(name), text]));

/** Returns the text of an event; undefined if it is not about a failsafe. */
export function eventText(id: number, given: Arguments): string | undefined {
  return BY_ID.get(id)?.(given);
}
