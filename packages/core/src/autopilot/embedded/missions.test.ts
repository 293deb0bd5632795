/** Tests complete missions and modes with the plant of the reference flights. */
import { describe, expect, it } from "vitest";
import type { Mission, MissionItem } from "../mission.ts";
import { LocalProjection } from "../projection.ts";
import {
  eventsUntil,
  OracleFlight,
  referenceFlight,
  timeOf,
  type OracleOptions,
} from "../../../../../tests/support/px4-flights.ts";

const { setup } = referenceFlight("simple");
const origin = { latDeg: setup.home.lat, lonDeg: setup.home.lon, altM: setup.home.alt_amsl };
const projection = new LocalProjection(origin);

/** Makes a mission item at a position in metres north, east and up from home. */
function at(command: number, [n, e, up]: readonly number[], more: Partial<MissionItem> = {}): MissionItem {
  const { latDeg, lonDeg } = projection.toGeo([n!, e!, 0]);
  const base = { command, frame: "relative" as const, p1: 0, p2: 0, p3: 0, p4: NaN, autoContinue: true };
  return { ...base, latDeg, lonDeg, altM: up!, ...more };
}
const action = (command: number, p1 = 0, p2 = 0): MissionItem => ({
  ...at(command, [0, 0, 0], { p1, p2 }),
  frame: "mission",
});
const takeoff = at(22, [0, 0, 5]);
const land = (n = 0, e = 0) => at(21, [n, e, 0]);

function fly(
  items: readonly MissionItem[],
  endS: number,
  options: OracleOptions = {},
  watch?: (flight: OracleFlight) => void,
) {
  const mission: Mission = { items };
  const flight = new OracleFlight(setup, { preset: "default", ownLandDetector: true, ...options, mission });
  const events = eventsUntil(flight, endS, () => watch?.(flight));
  return { flight, events };
}

const horizontal = (flight: OracleFlight) => Math.hypot(flight.plant.vel[0]!, flight.plant.vel[1]!);

describe("mission items", () => {
  it("16 (waypoint) waits p1 seconds within p2 metres, and turns to p4", () => {
    const { events, flight } = fly([takeoff, at(16, [10, 0, 5], { p1: 3, p2: 1, p4: 90 }), at(16, [10, 8, 5])], 30);
    const reached = timeOf(events, "seq_reached", 1);
    expect(reached).toBeGreaterThan(13);
    expect(flight.plant.heading()).toBeCloseTo(Math.PI / 2, 1);
    expect(flight.plant.pos[1]).toBeGreaterThan(5);
  });

  it("17 loiters without end, 19 for p1 seconds", () => {
    const timed = fly([takeoff, at(19, [6, 0, 5], { p1: 4 }), land(6, 0)], 40).events;
    const arrives = fly([takeoff, at(16, [6, 0, 5]), land(6, 0)], 40).events;
    const stay = timeOf(timed, "seq_reached", 1) - timeOf(arrives, "seq_reached", 1);
    expect(stay).toBeGreaterThan(3.9);
    expect(stay).toBeLessThan(4.6);
    const { events, flight } = fly([takeoff, at(17, [6, 0, 5]), land()], 40);
    expect(timeOf(events, "seq_reached", 1)).toBeNaN();
    expect(flight.plant.pos[0]).toBeCloseTo(6, 1);
  });

  it("20 (return) flies home and lands there", () => {
    const { events, flight } = fly([takeoff, at(16, [30, 0, 5]), action(20)], 90, {
      parameters: { RTL_RETURN_ALT: 10 },
    });
    expect(timeOf(events, "nav_state", 5)).toBeGreaterThan(10);
    expect(timeOf(events, "armed", 0, 5)).toBeLessThan(90);
    expect(Math.hypot(flight.plant.pos[0]!, flight.plant.pos[1]!)).toBeLessThan(0.3);
  });

  it("21 (land) flies to its position at the current altitude before it descends", () => {
    const tracks: number[][] = [];
    const { events, flight } = fly([takeoff, land(20, 5)], 60, {}, ({ plant }) => tracks.push([...plant.pos]));
    expect(timeOf(events, "mission_finished", 1)).toBeLessThan(45);
    expect(flight.plant.pos[0]).toBeCloseTo(20, 0);
    const low = tracks.find(([n, , d]) => n! > 1 && n! < 17 && d! > -4.2);
    expect(low).toBeUndefined();
  });

  it("31 (loiter to altitude) flies to its position first and then to its altitude", () => {
    const { events, flight } = fly([takeoff, at(31, [5, 0, 9]), at(16, [5, 0, 9])], 30);
    expect(timeOf(events, "seq_reached", 1)).toBeGreaterThan(8);
    expect(flight.plant.pos[2]).toBeCloseTo(-9, 0);
  });

  it("93 (delay) waits at the current position", () => {
    const { events } = fly([takeoff, action(93, 5), at(16, [10, 0, 5])], 40);
    expect(timeOf(events, "seq_reached", 1) - timeOf(events, "seq_reached", 0)).toBeCloseTo(5, 0);
  });

  it("177 (jump) jumps back the given number of times, then continues", () => {
    const items = [takeoff, at(16, [4, 0, 5]), at(16, [0, 0, 5]), action(177, 1, 2), at(16, [0, 4, 5]), land(0, 4)];
    const { events } = fly(items, 80);
    const visits = events.filter(({ event, value }) => event === "mission_seq" && value === 1);
    expect(visits.length).toBe(3);
    expect(events.some(({ event, value }) => event === "mission_seq" && value === 3)).toBe(false);
    expect(timeOf(events, "mission_finished", 1)).toBeLessThan(80);
  });

  it.each([
    ["0: the default of 80 m", 0, 40],
    ["5 m", 5, 10],
  ])("17 sets the loiter radius for a Hold that begins on the way there (%s)", (_name, p3, endsNear) => {
    const items = [takeoff, at(17, [40, 0, 5], { p3 }), land()];
    const { flight } = fly(items, 40, {}, (now) => {
      if (now.plant.pos[0]! > 5) now.override = { mode: 3, count: 9 };
    });
    expect(Math.abs(flight.plant.pos[0]! - endsNear)).toBeLessThan(5);
  });

  it("178 (change speed) with −1 or −2 returns to the default speed", () => {
    for (const speed of [-1, -2]) {
      let top = 0;
      fly([takeoff, action(178, 1, 2), at(16, [8, 0, 5]), action(178, 1, speed), at(16, [50, 0, 5])], 45, {}, (now) => {
        top = Math.max(top, horizontal(now));
      });
      expect(top).toBeGreaterThan(4.5);
    }
  });

  it("178 (change speed) changes the speed of the items that follow", () => {
    const top = [0, 0];
    const watch = (flight: OracleFlight) => {
      const leg = flight.bus.missionIndex[0]! < 3 ? 0 : 1;
      top[leg] = Math.max(top[leg]!, horizontal(flight));
    };
    fly([takeoff, at(16, [30, 0, 5]), action(178, 1, 2), at(16, [30, 30, 5], { p1: 2 }), land(30, 30)], 50, {}, watch);
    expect(top[0]).toBeGreaterThan(4.5);
    const { events } = fly(
      [takeoff, at(16, [30, 0, 5], { p1: 2 }), action(178, 1, 2), at(16, [30, 30, 5], { p1: 1 })],
      60,
    );
    const leg = timeOf(events, "seq_reached", 3) - timeOf(events, "seq_reached", 2);
    expect(leg).toBeGreaterThan(30 / 2.2);
  });

  it("skips items that are not simulated, in one navigator tick", () => {
    const { events } = fly([takeoff, action(206, 5), at(16, [5, 0, 5])], 25);
    expect(timeOf(events, "seq_reached", 1) - timeOf(events, "mission_seq", 1)).toBeCloseTo(0.048, 3);
  });

  it("stays at an item without autoContinue", () => {
    const { events, flight } = fly([takeoff, at(16, [5, 0, 5], { autoContinue: false }), at(16, [20, 0, 5])], 30);
    expect(timeOf(events, "seq_reached", 1)).toBeLessThan(20);
    expect(flight.plant.pos[0]).toBeLessThan(6);
  });

  it("after a mission that ends in the air, the vehicle holds; after one that ends on the ground, it disarms", () => {
    const air = fly([takeoff, at(16, [5, 0, 5])], 30);
    const finished = timeOf(air.events, "mission_finished", 1);
    expect(timeOf(air.events, "nav_state", 4, 5)).toBeCloseTo(finished, 1);
    expect(air.flight.plant.pos[0]).toBeCloseTo(5, 1);
    const ground = fly([takeoff, land()], 40);
    // Stock PX4 disarms within one tick of its commander after such a landing, not after COM_DISARM_LAND.
    expect(timeOf(ground.events, "armed", 0, 5) - timeOf(ground.events, "landed", 3, 10)).toBeLessThan(0.1);
  });

  it("a mission that cannot be flown is rejected", () => {
    expect(() => fly([at(84, [0, 0, 5])], 1)).toThrow(/AUTOPILOT-006/);
    expect(() => fly([at(16, [0, 0, 5]), takeoff], 1)).toThrow(/before every waypoint/);
    const { events } = fly([land()], 4);
    expect(timeOf(events, "nav_state", 3)).toBeNaN();
  });
});

describe("modes on request", () => {
  const hover = [takeoff, at(17, [0, 0, 5])];
  const request = (mode: number, when: number) => {
    let count = 1;
    return (flight: OracleFlight) => {
      if (flight.t < when || count === 2) return;
      count = 2;
      flight.override = { mode, count };
    };
  };

  it("hold stops at the end of the braking distance", () => {
    const watch = request(3, 15);
    let asked = NaN;
    const { flight } = fly([takeoff, at(16, [100, 0, 5])], 25, {}, (now) => {
      watch(now);
      if (Number.isNaN(asked) && now.override !== undefined) asked = now.plant.pos[0]!;
    });
    expect(horizontal(flight)).toBeLessThan(0.1);
    expect(flight.plant.pos[0]! - asked).toBeGreaterThan(4);
    expect(flight.plant.pos[0]! - asked).toBeLessThan(12);
    expect(flight.bus.navState[0]).toBe(4);
  });

  it("land descends in place, return descends at home", () => {
    const landed = fly([takeoff, at(16, [30, 0, 5], { p1: 100 })], 60, {}, request(4, 20));
    expect(timeOf(landed.events, "armed", 0, 5)).toBeLessThan(60);
    expect(landed.flight.plant.pos[0]).toBeGreaterThan(20);
    const home = fly([takeoff, at(16, [30, 0, 5], { p1: 100 })], 90, {}, request(2, 20));
    expect(timeOf(home.events, "armed", 0, 5)).toBeLessThan(90);
    expect(home.flight.plant.pos[0]).toBeLessThan(0.3);
  });

  it("take-off climbs by MIS_TAKEOFF_ALT and holds", () => {
    const flight = new OracleFlight(
      { ...setup, timing: { ...setup.timing, mission_mode_t: 1e9 } },
      { preset: "default", ownLandDetector: true, mission: { items: hover } },
    );
    const watch = request(5, 2);
    const events = eventsUntil(flight, 20, () => watch(flight));
    expect(timeOf(events, "nav_state", 17)).toBeCloseTo(2, 1);
    expect(timeOf(events, "nav_state", 4, 5)).toBeLessThan(15);
    expect(flight.plant.pos[2]).toBeCloseTo(-2.5, 1);
  });

  it("return with a delay descends, waits and lands; close to home it climbs only into the cone", () => {
    const high: number[] = [];
    const parameters = { RTL_LAND_DELAY: 5, RTL_DESCEND_ALT: 4 };
    const { events, flight } = fly([takeoff, at(16, [5, 0, 5], { p1: 100 })], 90, { parameters }, (now) => {
      requestReturnAt20(now);
      high.push(-now.plant.pos[2]!);
    });
    expect(Math.max(...high)).toBeLessThan(6);
    expect(timeOf(events, "armed", 0, 5)).toBeLessThan(90);
    expect(flight.plant.pos[0]).toBeLessThan(0.3);
  });
  const requestReturnAt20 = request(2, 20);

  it("return prefers a rally point that is nearer than home", () => {
    const { latDeg, lonDeg } = projection.toGeo([40, 0, 0]);
    const mission: Mission = {
      items: [takeoff, at(16, [38, 0, 5], { p1: 100 })],
      rally: [{ latDeg, lonDeg, altM: 0 }],
    };
    const flight = new OracleFlight(setup, { preset: "default", ownLandDetector: true, mission });
    const watch = request(2, 25);
    eventsUntil(flight, 90, () => watch(flight));
    expect(flight.plant.pos[0]).toBeCloseTo(40, 0);
    expect(flight.bus.armed[0]).toBe(0);
  });
});
