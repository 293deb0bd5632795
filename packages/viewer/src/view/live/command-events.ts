/** Events of commands to a live flight, and the errors of commands that it rejects. */
import { viewErrors } from "../errors.ts";
import type { EventSpec } from "../protocol.ts";

/** Returns the events, each at the time of the command. Throws if an event has a trigger. */
export function commandEvents(events: readonly EventSpec[], atUs: number): EventSpec[] {
  if (events.length === 0) throw badCommand("the command has no events");
  return events.map((event) => {
    if ("when" in event || "step" in event)
      throw badCommand("an event of a live flight happens immediately, so it cannot have a trigger");
    return { ...event, at: `${atUs / 1e6} s` };
  });
}

export function tooLate() {
  return viewErrors.liveCommand({
    what: "the flight has ended",
    fix: "save its description, and open it to branch from any instant",
  });
}

/**
 * Makes the error for a command that moves sticks in a flight without sticks. The command is rejected, because the
 * flight's rows would get new columns.
 */
export function noSticks() {
  return viewErrors.liveCommand({
    what: "this flight has no sticks, and they cannot be added while it flies",
    fix: 'start it with an event such as at = "0 s", sticks = {} in its description',
  });
}

function badCommand(what: string) {
  return viewErrors.liveCommand({ what, fix: "send events that have one action each and no trigger" });
}
