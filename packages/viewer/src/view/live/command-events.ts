/** The events of a command to a live flight, and what it cannot take. */
import { viewErrors } from "../errors.ts";
import type { EventSpec } from "../protocol.ts";

/** The events at the time of the command. */
export function commandEvents(events: readonly EventSpec[], atUs: number): EventSpec[] {
  if (events.length === 0) throw badCommand("the command has no events");
  return events.map((event) => {
    if ("when" in event || "step" in event) throw badCommand("an event of a live flight happens at once");
    return { ...event, at: `${atUs / 1e6} s` };
  });
}

export function tooLate() {
  return viewErrors.liveCommand({
    what: "the flight has ended",
    fix: "save its description, and open it to branch from any instant",
  });
}

function badCommand(what: string) {
  return viewErrors.liveCommand({ what, fix: "send events with an action each, without a trigger" });
}
