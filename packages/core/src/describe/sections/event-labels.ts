/**
 * The name and the note of an event.
 *
 * They are for people and tools: no bit of the flight depends on them. Like the name of the flight, they are part of
 * the definition and therefore of its hash.
 */
import { type PlainObject, show } from "../../params/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { EventDraft, ResolvedEvent } from "./scenario-spec.ts";

export const MAX_NAME_LENGTH = 64;
export const MAX_NOTE_LENGTH = 1000;
/** A name does not begin with a digit, so that it is never mistaken for a time. */
export const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Control characters, which would reach the terminal. */
const CONTROL = /\p{Cc}/u;

type EventLabels = Pick<ResolvedEvent, "name" | "note">;

/** Reads and checks both labels of the event at `key`. */
export function readLabels({ name, note }: PlainObject, key: string, diagnostics: Diagnostics): EventLabels {
  if (name !== undefined && !isName(name)) {
    const fix = `use at most ${MAX_NAME_LENGTH} letters, digits, - and _, beginning with a letter, e.g. "motor-out"`;
    diagnostics.add("badName", `${key}.name`, `${show(name)} is not a name for an event`, fix);
  }
  if (note !== undefined && typeof note !== "string") {
    diagnostics.add("wrongType", `${key}.note`, `${show(note)} is not a text`, 'write e.g. note = "Battery worn out."');
  } else if (note !== undefined && note.length > MAX_NOTE_LENGTH) {
    const what = `the note has ${note.length} characters`;
    diagnostics.add("wrongLength", `${key}.note`, what, `use at most ${MAX_NOTE_LENGTH}`);
  } else if (note !== undefined && CONTROL.test(note)) {
    diagnostics.add(
      "badName",
      `${key}.note`,
      "the note has a line break or another control character",
      "write it in one line",
    );
  }
  return {
    ...(isName(name) ? { name } : {}),
    ...(typeof note === "string" ? { note } : {}),
  };
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name.length <= MAX_NAME_LENGTH && NAME_PATTERN.test(name);
}

/** Reports names that two events share. */
export function checkNames(events: readonly EventDraft[], diagnostics: Diagnostics): void {
  const keyOf = new Map<string, string>();
  for (const { key, event } of events) {
    if (event?.name === undefined) continue;
    const other = keyOf.get(event.name);
    if (other === undefined) keyOf.set(event.name, key);
    else
      diagnostics.add(
        "inconsistent",
        `${key}.name`,
        `"${event.name}" is also the name of ${other}`,
        "use another name",
      );
  }
}
