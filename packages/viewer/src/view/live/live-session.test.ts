/** Commands to a live flight become events, each row is sent once, and the final description gives the same flight. */
import { describe, expect, it } from "vitest";
import { FlightSession } from "@escapement/core";
import type { EventSpec, FromWorker } from "../protocol.ts";
import { mustResolveText } from "../worker/texts.ts";
import { LiveSession } from "./live-session.ts";

const TEXT = 'extends = "hover"\n\n[timeline]\nendS = 6\n';

describe("a live flight", () => {
  it("accepts commands at the next tick, sends each row once, and can be flown again", () => {
    const posted: FromWorker[] = [];
    const resolve = (text: string) => mustResolveText(text, {});
    const source = { name: "x", text: TEXT, files: {}, resolved: resolve(TEXT) };
    const live = new LiveSession(source, resolve, (message) => void posted.push(message));
    for (let tUs = 0; tUs < 2_000_000; tUs += 161_000) live.flyTo(tUs);
    const gust: EventSpec = { for: "1 s", gust: { velNedMps: [0, 5, 0] } };
    const atUs = live.command([gust]);
    expect([atUs % 4000, atUs > 1_700_000]).toEqual([0, true]);
    live.flyTo(2_500_000);
    live.command([{ land: {} }]);
    live.flyTo(Infinity);
    expect(live.isOver).toBe(true);
    expect(live.text).toContain(`at = "${atUs / 1e6} s"`);
    const times = posted.flatMap((each) => (each.is === "rows" ? [...each.batch.timesUs] : []));
    expect(times).toEqual(times.map((_, i) => i * 20_000));
    const end = posted.find((each) => each.is === "end")!.end;
    const again = new FlightSession(resolve(live.text));
    again.advance();
    expect(again.result().fingerprint).toBe(end.fingerprint);
    const amended = posted.filter((each) => each.is === "amended").map(({ head }) => head);
    expect(amended.map(({ origin, takesCommands }) => [origin, takesCommands])).toEqual([
      ["live", true],
      ["live", true],
    ]);
  });

  it("moves the sticks of a flight that has them", () => {
    const resolve = (text: string) => mustResolveText(text, {});
    const text = `${TEXT}\n[[scenario]]\nat = "5 s"\nsticks = {}\n`;
    const live = new LiveSession({ name: "x", text, files: {}, resolved: resolve(text) }, resolve, () => {});
    live.flyTo(2_000_000);
    live.command([{ sticks: { pitch: 0.5 } }]);
    live.flyTo(Infinity);
    expect(live.text).toContain("sticks = { pitch = 0.5 }");
  });

  it("rejects commands with a trigger, invalid commands, and every command after the end", () => {
    const resolve = (text: string) => mustResolveText(text, {});
    const source = { name: "x", text: TEXT, files: {}, resolved: resolve(TEXT) };
    const live = new LiveSession(source, resolve, () => {});
    live.flyTo(100_000);
    const code = (events: readonly EventSpec[]) => {
      try {
        return live.command(events);
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    expect(code([])).toBe("VIEW-009");
    expect(code([{ when: "altitudeM > 1", land: {} }])).toBe("VIEW-009");
    expect(code([{ motorOff: { motor: 9 } }])).toMatch(/^FLIGHT-/);
    expect(code([{ sticks: { pitch: 1 } }])).toBe("VIEW-009");
    expect(live.text).toBe(TEXT);
    live.flyTo(Infinity);
    expect(code([{ land: {} }])).toBe("VIEW-009");
  });
});
