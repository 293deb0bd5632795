/**
 * From the events that a person writes to the events that the scenario flies.
 *
 * An entry has one trigger (`at`, `step` or `when`), one action, and perhaps a window. `snap = "autopilot"` moves a
 * time up to the autopilot's next tick. The stop rules and the mission's arming are events like any other, appended
 * here, so that one mechanism ends and starts every flight.
 */
import { checkParams, type Complaint, isPlainObject, nearestName, type PlainObject } from "../params/index.ts";
import { secondsToUs } from "../time/index.ts";
import { SimError } from "../errors/index.ts";
import { ACTION_NAMES, ACTIONS, type ActionName, type Condition, parseCondition } from "../sources/scenario/index.ts";
import { parseDurationText } from "./duration-text.ts";

/** An event as it stands in a resolved flight: plain data, nothing left to default. */
export interface ResolvedEvent {
  readonly trigger:
    | { readonly at: "time"; readonly tUs: number }
    | { readonly at: "step"; readonly boundary: number }
    | { readonly at: "condition"; readonly condition: Condition; readonly holdUs: number; readonly hysteresis: number };
  readonly forUs?: number;
  readonly repeats: boolean;
  readonly action: ActionName;
  readonly params: Readonly<Record<string, unknown>>;
}

export type FlightComplaint = Omit<Complaint, "code"> & { readonly code: string };

const ENTRY_KEYS = ["name", "at", "atS", "step", "when", "for", "forS", "repeats", "hysteresis", "holdS", "snap"] as const;

export function resolveEvents(given: unknown, autopilotPeriodUs: number, complaints: FlightComplaint[]): ResolvedEvent[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    complaints.push({ code: "wrongType", key: "scenario", what: "the scenario is not a list of events", fix: "write [[scenario]] for each event" });
    return [];
  }
  return given.flatMap((entry, index) => {
    const key = `scenario[${index}]`;
    if (isPlainObject(entry)) return new EventReader(entry, key, autopilotPeriodUs, complaints).read() ?? [];
    complaints.push({ code: "wrongType", key, what: "an event is a table", fix: 'e.g. { at = "30 s", motorOff = { motor = 2 } }' });
    return [];
  });
}

/** Reads one entry, collecting everything that is wrong with it. */
class EventReader {
  private readonly entry: PlainObject;
  private readonly key: string;
  private readonly tickUs: number;
  private readonly complaints: FlightComplaint[];

  constructor(entry: PlainObject, key: string, tickUs: number, complaints: FlightComplaint[]) {
    this.entry = entry;
    this.key = key;
    this.tickUs = tickUs;
    this.complaints = complaints;
  }

  read(): ResolvedEvent | undefined {
    const before = this.complaints.length;
    const trigger = this.trigger();
    const action = this.action();
    const forUs = this.durationUs(this.entry["for"] === undefined ? "forS" : "for", false);
    const repeats = this.flag("repeats");
    if (this.complaints.length > before || trigger === undefined || action === undefined) return undefined;
    return { trigger, ...(forUs === undefined ? {} : { forUs }), repeats, ...action };
  }

  private trigger(): ResolvedEvent["trigger"] | undefined {
    const given = (["at", "atS", "step", "when"] as const).filter((name) => this.entry[name] !== undefined);
    if (given.length !== 1) {
      const what = given.length === 0 ? "the event has no trigger" : `the event has the triggers ${given.join(" and ")}`;
      return this.complain("badTrigger", "", what, "give one of: at, step, when");
    }
    switch (given[0]) {
      case "step":
        return this.step();
      case "when":
        return this.when();
      default:
        return this.time(given[0]!);
    }
  }

  private time(name: string): ResolvedEvent["trigger"] | undefined {
    const tUs = this.durationUs(name, true);
    if (tUs === undefined) return undefined;
    const { snap } = this.entry;
    if (snap !== undefined && snap !== "autopilot") {
      return this.complain("unknownChoice", "snap", `${String(snap)} is nothing to snap to`, 'one of: "autopilot"');
    }
    return { at: "time", tUs: snap === undefined ? tUs : Math.ceil(tUs / this.tickUs) * this.tickUs };
  }

  private step(): ResolvedEvent["trigger"] | undefined {
    const { step } = this.entry;
    if (typeof step === "number" && Number.isSafeInteger(step) && step >= 0) return { at: "step", boundary: step };
    return this.complain("notWhole", "step", `${String(step)} is not the number of a boundary`, "a whole number from 0");
  }

  private when(): ResolvedEvent["trigger"] | undefined {
    const { when, hysteresis = 0 } = this.entry;
    if (typeof when !== "string") return this.complain("wrongType", "when", "a condition is a text", 'e.g. when = "altitudeM > 10"');
    const condition = parseCondition(when);
    if (!Array.isArray(condition)) {
      const fault = condition as { what: string; fix: string };
      return this.complain("badCondition", "when", fault.what, fault.fix);
    }
    if (typeof hysteresis !== "number" || !(hysteresis >= 0) || !Number.isFinite(hysteresis)) {
      return this.complain("outOfRange", "hysteresis", `${String(hysteresis)} is no margin`, "a number from 0, in the quantity's unit");
    }
    return { at: "condition", condition: condition as Condition, holdUs: this.durationUs("holdS", true) ?? 0, hysteresis };
  }

  private action(): Pick<ResolvedEvent, "action" | "params"> | undefined {
    const names = Object.keys(this.entry).filter((name) => !(ENTRY_KEYS as readonly string[]).includes(name));
    const known = names.filter((name) => (ACTION_NAMES as readonly string[]).includes(name)) as ActionName[];
    for (const name of names) {
      if ((known as readonly string[]).includes(name)) continue;
      const near = nearestName(name, [...ACTION_NAMES, ...ENTRY_KEYS]);
      this.complain("unknownKey", name, `"${name}" is neither a trigger nor an action`, near === undefined ? `actions: ${ACTION_NAMES.join(", ")}` : `did you mean "${near}"?`);
    }
    if (known.length !== 1) {
      if (names.length > known.length) return undefined;
      const what = known.length === 0 ? "the event does nothing" : `the event does ${known.join(" and ")}`;
      return this.complain("badAction", "", what, `give one of: ${ACTION_NAMES.join(", ")}`);
    }
    const action = known[0]!;
    const value = this.entry[action];
    const params = value === true ? {} : value;
    if (!isPlainObject(params)) return this.complain("wrongType", action, `${String(value)} is not a table`, `write ${action} = {} or its parameters`);
    const resolved = checkParams(ACTIONS[action].params, params, this.complaints as Complaint[], `${this.key}.${action}`);
    return { action, params: resolved };
  }

  private flag(name: string): boolean {
    const value = this.entry[name];
    if (value === undefined || typeof value === "boolean") return value ?? false;
    this.complain("wrongType", name, `${String(value)} is not a switch`, "true or false");
    return false;
  }

  private durationUs(name: string, zero: boolean): number | undefined {
    const value = this.entry[name];
    if (value === undefined) return undefined;
    const seconds = parseDurationText(value);
    if (seconds === undefined) return this.complain("wrongType", name, `${JSON.stringify(value)} is not a time`, 'e.g. "30 s", "250 ms" or seconds');
    try {
      const us = secondsToUs(seconds, name);
      if (us > 0 || (zero && us === 0)) return us;
      return this.complain("outOfRange", name, `${seconds} s is too short`, zero ? "0 or more" : "at least 1 µs");
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      return this.complain("notExactUs", name, error.what, error.fix);
    }
  }

  private complain(code: string, name: string, what: string, fix: string): undefined {
    this.complaints.push({ code, key: name === "" ? this.key : `${this.key}.${name}`, what, fix });
    return undefined;
  }
}
