/** The event log: events at boundaries built by hand, and after a checkpoint was loaded. */
import { describe, expect, it } from "vitest";
import { BusLayout, DUE_BITS, SENSORS, type SignalName } from "../../engine/index.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { FlightClock } from "../../time/index.ts";
import type { ScenarioEvent } from "../../sources/scenario/index.ts";
import { eventText, eventTextAndNote } from "./event-texts.ts";
import { FlightEventLog } from "./event-log.ts";
import type { EventContext } from "./events.ts";

const DIMS = { rotors: 4, batteries: 2, buses: 1 };
const layout = new BusLayout(DIMS);
const item = (command: number, p1 = 0, p2 = 0) =>
  ({
    command,
    frame: "relative",
    p1,
    p2,
    p3: 0,
    p4: 0,
    latDeg: 0,
    lonDeg: 0,
    altM: 0,
    autoContinue: true,
  }) as const;

/** A bus whose signals are set by name and which is observed at given times. */
class Bench {
  readonly bus = new Float64Array(layout.size);
  readonly frame = new Float64Array(7);
  readonly log: FlightEventLog;

  constructor(context: EventContext = {}) {
    this.log = new FlightEventLog(layout, { pos: 1, vel: 4 }, context);
    this.set("motorGain", 1, 1, 1, 1).set("batteryConnected", 1, 1).set("landDetected", 3).set("missionReached", -1);
  }

  set(name: SignalName, ...values: number[]): this {
    this.bus.set(values, layout.find(name).offset);
    return this;
  }

  move(posNed: readonly number[], velNed: readonly number[]): this {
    this.frame.set([...posNed, ...velNed], 1);
    return this;
  }

  at(seconds: number): this {
    this.frame[0] = seconds * 1e6;
    const due = DUE_BITS.scenario | DUE_BITS.autopilot | DUE_BITS.log;
    this.log.observe(
      {
        clock: new FlightClock(),
        frame: this.frame,
        stateSize: 6,
        bus: this.bus,
        due,
        outputsRan: true,
        inputChanged: true,
      },
      true,
    );
    return this;
  }

  get lines(): string[] {
    return this.log.events.map(
      (event) => `${event.tUs / 1e6}${event.severity === "warning" ? "!" : ""} ${eventText(event)}`,
    );
  }
}

describe("the event log", () => {
  it("does not report the initial state as events", () => {
    expect(new Bench().set("navState", 4).at(0).at(1).lines).toEqual([]);
  });

  it("reports the progress of a mission by the names of its items", () => {
    const mission = {
      armAtS: 1,
      startAtS: 2,
      home: null,
      fence: null,
      rally: [],
      items: [item(22), item(178, 1, 3), item(16), item(17), item(16), item(93, 2.5), item(206), item(21)],
    };
    const bench = new Bench({ mission })
      .at(0)
      .set("armed", 1)
      .at(1)
      .set("navState", 3)
      .at(2)
      .set("takeoffState", 5)
      .set("landDetected", 0)
      .at(3);
    for (const index of mission.items.keys()) bench.set("missionReached", index).at(4 + index);
    bench.set("missionFinished", 1).set("armed", 0).at(12);
    expect(bench.lines).toEqual([
      "1 armed",
      "2 mode mission",
      "3 lift-off",
      "4 take-off height",
      "5 speed set to 3 m/s",
      "6 waypoint 1",
      "7 loiter",
      "8 waypoint 2",
      "9 waited 2.5 s",
      "10 mission item 6",
      "12 disarmed",
      "12 mission finished",
    ]);
  });

  it("reports a lift-off only when the autopilot reports flight and contact has ended", () => {
    const bench = new Bench().set("contactForceNed", 0, 0, -10).at(0).set("takeoffState", 5).at(1).at(2);
    expect(bench.lines).toEqual([]);
    bench.set("contactForceNed", 0, 0, 0).at(3).at(4);
    expect(bench.lines).toEqual(["3 lift-off"]);
    const stays = new Bench().set("contactForceNed", 0, 0, -10).at(0).set("takeoffState", 5).at(1);
    expect(stays.set("takeoffState", 1).at(2).set("contactForceNed", 0, 0, 0).at(3).lines).toEqual([]);
  });

  it("reports a fence breach", () => {
    expect(new Bench().at(0).set("failsafe", 6).at(1).lines).toEqual(["1! failsafe: outside the fence"]);
  });

  it("reports a landing with its speed and distance, taken from the last row without contact", () => {
    const bench = new Bench().set("landDetected", 0).move([2, 1, -1], [0, 0, 0]).at(0);
    bench.move([5, 5, -0.5], [0.3, 0, 0.4]).at(1);
    bench.move([5, 5, -0.1], [0, 0, 0.05]).set("contactForceNed", 0, 0, -10).at(2);
    bench.set("landDetected", 3).at(3);
    expect(bench.lines).toEqual(["3 landed (0.50 m/s, 5.00 m from home)"]);
    expect(bench.log.touchdown).toEqual({ tUs: 2e6, speedMps: 0.5, distanceM: 5 });
  });

  it("reports no touchdown for a vehicle that was on the ground from the start", () => {
    expect(new Bench().set("contactForceNed", 0, 0, -10).at(0).at(1).log.touchdown).toBeUndefined();
  });

  it("reports every kind of motor fault once, and its end", () => {
    const bench = new Bench().at(0);
    bench.set("motorGain", 0, 0.5, 0, 1).set("motorOffset", 0, 0, 0.3, 0.01).at(1);
    bench.set("motorOffset", 0, 0, 0.3, -0.02).set("motorJam", 0, 1, 0, 0).at(2);
    bench.set("motorGain", 1, 1, 1, 1).set("motorOffset", 0, 0, 0, 0).set("motorJam", 0, 0, 0, 0).at(3);
    expect(bench.lines).toEqual([
      "1! motor 1 off",
      "1! motor 2 keeps 50 % of its duty",
      "1! motor 3 stuck at duty 0.30",
      "1! motor 4 noisy",
      "2! motor 2 jammed",
      "3 motor 1 healthy again",
      "3 motor 2 healthy again",
      "3 motor 3 healthy again",
      "3 motor 4 healthy again",
    ]);
  });

  it("reports damage of a propeller, and its end", () => {
    const bench = new Bench().at(0);
    bench.set("propellerChip", 0.05, 0, 0, 0).set("propellerImbalance", 0, 2e-6, 0, 0).at(1);
    bench.set("propellerChip", 0, 0, 0, 0).set("propellerImbalance", 0, 0, 0, 0).at(2);
    expect(bench.lines).toEqual([
      "1! propeller 1 chipped by 5 % of its radius",
      "1! propeller 2 unbalanced by 2.0 g.mm",
      "2 propeller 1 whole again",
      "2 propeller 2 balanced again",
    ]);
  });

  it("reports batteries, warnings, failsafes, sensors, gusts and parameters", () => {
    const scenario = [
      {
        trigger: { at: "time", tUs: 0 },
        repeats: false,
        action: "parameter",
        params: { name: "MPC_XY_CRUISE", value: 8 },
      },
    ] as const;
    const bench = new Bench({ scenario }).at(0).set("batteryConnected", 1, 0).set("batteryWarning", 0, 2).at(1);
    bench.set("failsafe", 2).set("navState", 5).at(2);
    const faults = SENSORS.map((name) => (name === "baro" ? 3 : 0));
    bench
      .set("sensorFaultKind", ...faults)
      .set("windGustNed", 3, 4, 0)
      .set("parameterChanges", 1)
      .at(3);
    bench
      .set("sensorFaultKind", ...faults.map(() => 0))
      .set("windGustNed", 0, 0, 0)
      .set("batteryConnected", 1, 1)
      .set("batteryWarning", 0, 1)
      .at(4);
    expect(bench.lines).toEqual([
      "1! battery 2 cut off",
      "1! battery critical",
      "2 mode return",
      "2! failsafe: battery critical",
      "3! baro: drift",
      "3 gust of 5.0 m/s",
      "3 MPC_XY_CRUISE = 8",
      "4 battery 2 connected again",
      "4 baro healthy again",
      "4 gust over",
    ]);
  });

  it("is complete after a checkpoint was loaded", () => {
    const first = new Bench().at(0).set("armed", 1).at(1).set("motorGain", 0, 1, 1, 1).at(2);
    const again = new Bench();
    Snapshot.of(first.log).into(again.log);
    again.bus.set(first.bus);
    for (const bench of [first, again]) bench.set("motorGain", 1, 1, 1, 1).at(3);
    expect(again.lines).toEqual(first.lines);
    expect(again.lines).toHaveLength(3);
  });

  it("adds the messages of an autopilot at the boundary after they arrived, and marks warnings", () => {
    const messages = [{ tUs: 0, isWarning: false, text: "Takeoff detected" }];
    const bench = new Bench({ messages }).at(1);
    messages.push({ tUs: 1_500_000, isWarning: true, text: "Low battery" });
    bench.at(2).at(3);
    expect(bench.log.events.map((event) => [event.tUs, event.severity, eventText(event)])).toEqual([
      [1_000_000, "info", '"Takeoff detected"'],
      [2_000_000, "warning", '"Low battery"'],
    ]);
  });
});

describe("the cause of an event", () => {
  const timed = (action: ScenarioEvent["action"], more: Partial<ScenarioEvent> = {}): ScenarioEvent => ({
    trigger: { at: "time", tUs: 0 },
    repeats: false,
    action,
    params: {},
    ...more,
  });
  const causes = (bench: Bench) => bench.log.events.map(({ tUs, kind, cause }) => [tUs / 1e6, kind, cause?.index]);

  it("is the scenario event that sets the state; at the end of a window, the scenario event that ended", () => {
    const bench = new Bench().at(0);
    bench.set("motorGain", 0).set("motorEvent", 3).set("windGustNed", 5).set("gustEvent", 1).at(1);
    bench.set("motorEvent", 4).at(2);
    bench.set("motorGain", 1).set("motorEvent", 0).set("windGustNed", 0).set("gustEvent", 0).at(3);
    bench.set("batteryConnected", 1, 0).set("batteryEvent", 0, 7).at(4);
    bench.set("sensorFaultKind", 0, 1).set("sensorFaultEvent", 0, 8).at(5);
    expect(causes(bench)).toEqual([
      [1, "motorOff", 2],
      [1, "gust", 0],
      [3, "motorHealthy", 3],
      [3, "gustOver", 0],
      [4, "batteryOff", 6],
      [5, "sensorFault", 7],
    ]);
  });

  it("is the request that the autopilot follows; what the autopilot does by itself has no cause", () => {
    const bench = new Bench().set("navState", 4).at(0);
    bench.set("requestArmed", 1).set("requestCount", 1).set("requestEvent", 1, 0).at(1);
    bench.set("requestMode", 1).set("requestCount", 2).set("requestEvent", 1, 2).at(2);
    bench.set("armed", 1).set("navState", 3).at(3);
    // The mission ends in hold; then hold is requested, which changes nothing, and a failsafe starts a return.
    bench.set("navState", 4).at(4);
    bench.set("requestMode", 3).set("requestCount", 3).set("requestEvent", 1, 5).at(5);
    bench.set("navState", 5).at(6);
    bench.set("navState", 4).set("armed", 0).at(7);
    expect(causes(bench)).toEqual([
      [3, "armed", 0],
      [3, "mode", 1],
      [4, "mode", undefined],
      [6, "mode", undefined],
      [7, "disarmed", undefined],
      [7, "mode", undefined],
    ]);
  });

  it("is the denied request, if disarming is requested in the air; on the ground the vehicle is disarmed", () => {
    const bench = new Bench().set("armed", 1).at(0).set("landDetected", 0).at(1);
    bench.set("requestArmed", -1).set("requestCount", 1).set("requestEvent", 1, 0).at(2);
    bench.set("landDetected", 3).at(3);
    bench.set("requestArmed", -2).set("requestCount", 2).set("requestEvent", 2, 0).at(4);
    bench.set("armed", 0).at(5);
    expect(causes(bench)).toEqual([
      [2, "disarmDenied", 0],
      [3, "landed", undefined],
      [5, "disarmed", 1],
    ]);
    expect(bench.lines[0]).toBe("2! disarm denied, because the vehicle is in the air");
  });

  it("has the name and the note of the scenario event, even after a checkpoint was loaded", () => {
    const params = { posNedM: [1, 2, -3], yawDeg: 90 };
    const scenario = [
      timed("parameter", { params: { name: "MPC_XY_CRUISE", value: 3 }, name: "slow" }),
      timed("goto", { params, name: "aside", note: "Out of the way." }),
    ];
    const bench = new Bench({ scenario }).at(0).set("parameterChanges", 1).at(1);
    bench.set("requestMode", 6).set("requestCount", 1).set("requestEvent", 0, 2).at(2);
    bench.set("navState", 4).at(3);
    const events = [
      { tUs: 1e6, kind: "parameter", data: { name: "MPC_XY_CRUISE", value: 3 }, cause: { index: 0, name: "slow" } },
      { tUs: 2e6, kind: "goto", data: params, cause: { index: 1, name: "aside", note: "Out of the way." } },
      { tUs: 3e6, kind: "mode", data: { mode: "hold" }, cause: { index: 1, name: "aside", note: "Out of the way." } },
    ].map((event) => ({ ...event, severity: "info" }));
    expect(bench.log.events).toEqual(events);
    expect(bench.lines[1]).toBe("2 go to 1.0 m north, 2.0 m east, 3.0 m up");
    expect(eventTextAndNote(bench.log.events[2]!)).toBe("mode hold — Out of the way.");
    const other = new Bench({ scenario });
    Snapshot.of(bench.log).into(other.log);
    expect(other.log.events).toEqual(events);
  });
});
