/** Tests arming, failsafes and disarming with the plant of the reference flights. */
import { describe, expect, it } from "vitest";
import {
  eventsUntil,
  missionOf,
  OracleFlight,
  referenceFlight,
  timeOf,
  type OracleOptions,
} from "../../../../../tests/support/px4-flights.ts";

import { SIGNALS } from "../../signals/table.ts";

const { setup } = referenceFlight("simple");
const VALID = SIGNALS.estValid.values;
const ALL_VALID = SIGNALS.estValid.initial;
const own: OracleOptions = { preset: "default", ownLandDetector: true };

function newFlight(options: OracleOptions = {}, timing: Partial<typeof setup.timing> = {}): OracleFlight {
  return new OracleFlight({ ...setup, timing: { ...setup.timing, ...timing } }, { ...own, ...options });
}

/** Returns a function that sets the battery charge over time, from pairs of time (s) and remaining fraction. */
function drain(flight: OracleFlight, steps: readonly (readonly [number, number])[]): () => void {
  const remaining = flight.all.signal("batteryRemaining");
  return () => {
    for (const [t, share] of steps) if (flight.t >= t) remaining[0] = share;
  };
}

describe("arming", () => {
  it("waits until the battery is charged enough", () => {
    const flight = newFlight();
    flight.all.signal("batteryRemaining")[0] = 0.06;
    const events = eventsUntil(
      flight,
      6,
      drain(flight, [
        [0, 0.06],
        [4, 0.5],
      ]),
    );
    expect(timeOf(events, "armed", 1)).toBeGreaterThanOrEqual(4);
    expect(timeOf(events, "armed", 1)).toBeLessThan(4.1);
  });

  it("needs the charge COM_ARM_BAT_MIN if this parameter is set", () => {
    const flight = newFlight({ parameters: { COM_ARM_BAT_MIN: 0.8 } });
    expect(timeOf(eventsUntil(flight, 3, drain(flight, [[0, 0.7]])), "armed", 1)).toBeNaN();
  });

  it("is denied to a vehicle that lies on its back", () => {
    const flight = newFlight();
    const upsideDown = () => flight.plant.q.set([0, 1, 0, 0]);
    upsideDown();
    expect(timeOf(eventsUntil(flight, 0.9, upsideDown), "armed", 1)).toBeNaN();
  });

  it("times out ten seconds after spool-up without a take-off", () => {
    const events = eventsUntil(newFlight({}, { mission_mode_t: 1e9 }), 14);
    expect(timeOf(events, "armed", 0, 2)).toBeCloseTo(12, 1);
  });

  it("sets home to the current position; mission altitudes are relative to home", () => {
    const flight = newFlight();
    flight.plant.pos.set([3, 4, 0]);
    eventsUntil(flight, 12);
    expect(flight.plant.pos[0]).toBeCloseTo(3, 1);
    expect(flight.plant.pos[2]).toBeLessThan(-6);
  });
});

/** Requests over time: time (s), mode, and the two request counters as a scenario increments them. */
type Request = readonly [t: number, mode: number, count: number, armed: number];
const HOLD = 3;
const LAND = 4;
const TAKE_OFF = 5;

function makeRequests(flight: OracleFlight, requests: readonly Request[]): () => void {
  return () => {
    for (const [t, mode, count, armed] of requests) if (flight.t >= t) flight.override = { mode, count, armed };
  };
}

describe("requests to arm and disarm", () => {
  it("request no mode", () => {
    const flight = newFlight({}, { mission_mode_t: 1e9 });
    const requests = makeRequests(flight, [
      [2, TAKE_OFF, 2, 1],
      [15, TAKE_OFF, 3, -2],
      [16, TAKE_OFF, 4, 3],
    ]);
    const events = eventsUntil(flight, 17, requests);
    expect(timeOf(events, "nav_state", 4, 3)).toBeLessThan(15);
    expect(timeOf(events, "nav_state", 17, 15)).toBeNaN();
    expect(flight.bus.armed[0]).toBe(1);
  });

  it("disarm only on the ground, and are dropped in the air; after Land, COM_DISARM_LAND applies", () => {
    const flight = newFlight({}, { mission_mode_t: 1e9 });
    const events = eventsUntil(
      flight,
      40,
      makeRequests(flight, [
        [1, TAKE_OFF, 2, 1],
        [8, TAKE_OFF, 3, -2],
        [10, LAND, 4, -2],
      ]),
    );
    const landed = timeOf(events, "landed", 3, 10);
    expect(landed).toBeGreaterThan(10);
    expect(timeOf(events, "armed", 0, 2) - landed).toBeCloseTo(2, 1);
    const onGround = newFlight({}, { mission_mode_t: 1e9 });
    const soon = eventsUntil(
      onGround,
      6,
      makeRequests(onGround, [
        [1, 0, 1, 1],
        [4, 0, 2, -2],
      ]),
    );
    expect(timeOf(soon, "armed", 0, 2)).toBeCloseTo(4, 1);
  });

  it("are accepted again after the vehicle disarmed by itself", () => {
    const flight = newFlight({}, { mission_mode_t: 1e9 });
    const requests = makeRequests(flight, [
      [2, TAKE_OFF, 2, 1],
      [12, LAND, 3, 1],
      [40, LAND, 4, 2],
    ]);
    const events = eventsUntil(flight, 41, requests);
    expect(timeOf(events, "armed", 0, 13)).toBeLessThan(40);
    expect(timeOf(events, "armed", 1, 13)).toBeCloseTo(40, 1);
  });
});

describe("battery failsafes", () => {
  it("hold for five seconds at the critical level, then return; at the emergency level, land in place", () => {
    const flight = newFlight();
    const events = eventsUntil(
      flight,
      80,
      drain(flight, [
        [18, 0.14],
        [22, 0.06],
        [31, 0.04],
      ]),
    );
    expect(timeOf(events, "failsafe", 1)).toBeCloseTo(18, 1);
    expect(timeOf(events, "nav_state", 3, 19)).toBeNaN();
    expect(timeOf(events, "nav_state", 4, 20)).toBeCloseTo(22, 1);
    expect(timeOf(events, "nav_state", 5)).toBeCloseTo(27, 1);
    // A vehicle that already returns does not hold again.
    expect(timeOf(events, "nav_state", 18)).toBeCloseTo(31, 1);
    expect(timeOf(events, "nav_state", 4, 28)).toBeNaN();
    expect(timeOf(events, "armed", 0, 5)).toBeLessThan(80);
  });

  it("return home if the level stays critical", () => {
    const flight = newFlight();
    const events = eventsUntil(flight, 110, drain(flight, [[25, 0.06]]));
    expect(timeOf(events, "nav_state", 5)).toBeCloseTo(30, 1);
    expect(timeOf(events, "armed", 0, 5)).toBeLessThan(110);
    expect(Math.hypot(flight.plant.pos[0]!, flight.plant.pos[1]!)).toBeLessThan(0.5);
  });

  it("only warn with COM_LOW_BAT_ACT 0, and land with 2", () => {
    const warned = newFlight({ parameters: { COM_LOW_BAT_ACT: 0 } });
    const events = eventsUntil(warned, 30, drain(warned, [[18, 0.02]]));
    expect(timeOf(events, "failsafe", 3)).toBeCloseTo(18, 1);
    expect(warned.bus.navState[0]).toBe(3);
    const landed = newFlight({ parameters: { COM_LOW_BAT_ACT: 2, COM_FAIL_ACT_T: 0 } });
    expect(timeOf(eventsUntil(landed, 20, drain(landed, [[18, 0.06]])), "nav_state", 18)).toBeCloseTo(18, 1);
  });

  it("yield to the pilot until a more severe failsafe triggers", () => {
    const flight = newFlight();
    const battery = drain(flight, [
      [18, 0.06],
      [27, 0.04],
    ]);
    const events = eventsUntil(flight, 40, () => {
      battery();
      if (flight.t > 20) flight.override = { mode: 3, count: 7 };
    });
    expect(timeOf(events, "nav_state", 4, 17)).toBeCloseTo(18, 1);
    expect(timeOf(events, "nav_state", 5)).toBeNaN();
    expect(timeOf(events, "nav_state", 18)).toBeGreaterThan(27);
  });

  it("do not act on a state that was already present when the vehicle armed", () => {
    const flight = newFlight({ parameters: { COM_ARM_BAT_MIN: 0 } });
    eventsUntil(flight, 20, drain(flight, [[0, 0.06]]));
    flight.all.signal("batteryRemaining")[0] = 0.06;
    expect(flight.bus.navState[0]).toBe(3);
    expect(flight.bus.failsafe[0]).toBe(2);
  });
});

/** Returns a function that sets the validity of the estimate over time, from pairs of time (s) and flags. */
function validity(flight: OracleFlight, steps: readonly (readonly [number, number])[]): () => void {
  const valid = flight.all.signal("estValid");
  return () => {
    for (const [t, flags] of steps) if (flight.t >= t) valid[0] = flags;
  };
}

describe("a lost estimate", () => {
  const NO_POSITION = ALL_VALID - VALID.posXy - VALID.velXy;

  it.each([
    ["horizontal position", VALID.posXy],
    ["height", VALID.posZ],
    ["horizontal velocity", VALID.velXy],
    ["vertical velocity", VALID.velZ],
  ])("without %s the vehicle descends immediately, and the pilot cannot take over", (_, bit) => {
    const flight = newFlight();
    const lost = validity(flight, [[20, ALL_VALID - bit]]);
    const requests = makeRequests(flight, [[22, HOLD, 3, 1]]);
    const events = eventsUntil(flight, 24, () => {
      lost();
      requests();
    });
    expect(timeOf(events, "failsafe", 5)).toBeCloseTo(20, 2);
    expect(timeOf(events, "nav_state", 12)).toBeCloseTo(20, 2);
    expect(timeOf(events, "nav_state", 4, 20)).toBeNaN();
    expect(flight.bus.navState[0]).toBe(12);
  });

  it("the mode is resumed when the estimate has been valid for a second", () => {
    const flight = newFlight();
    const events = eventsUntil(
      flight,
      30,
      validity(flight, [
        [20, NO_POSITION],
        [23, ALL_VALID],
        [23.8, NO_POSITION],
        [24, ALL_VALID],
      ]),
    );
    expect(timeOf(events, "nav_state", 3, 20)).toBeCloseTo(25, 1);
    expect(timeOf(events, "failsafe", 0, 20)).toBeCloseTo(25, 1);
  });

  it("Descend is level, keeps the heading, sinks at MPC_LAND_SPEED, lands and disarms", () => {
    const flight = newFlight({ parameters: { MPC_LAND_SPEED: 0.9 } });
    let heading = NaN;
    let sink = NaN;
    const lost = validity(flight, [[20, NO_POSITION]]);
    const events = eventsUntil(flight, 60, () => {
      lost();
      if (flight.t < 20.1) heading = flight.plant.heading();
      if (Math.abs(flight.t - 24) < 0.003) sink = flight.plant.vel[2]!;
      if (flight.t > 22 && flight.t < 26)
        expect(Math.hypot(flight.bus.setQBodyToNed[1]!, flight.bus.setQBodyToNed[2]!)).toBe(0);
    });
    expect(sink).toBeCloseTo(0.9, 1);
    const landed = timeOf(events, "landed", 3, 20);
    expect(timeOf(events, "armed", 0, landed) - landed).toBeCloseTo(2, 1);
    expect(flight.plant.heading()).toBeCloseTo(heading, 1);
    // After disarming, the pilot's mode is active again.
    expect(flight.bus.navState[0]).toBe(3);
  });

  it("without a vertical velocity, Descend commands a small downward acceleration", () => {
    const flight = newFlight();
    eventsUntil(flight, 21, validity(flight, [[20, VALID.attitude + VALID.heading + VALID.rates]]));
    expect(flight.bus.setAccNed[2]).toBeCloseTo(0.3, 12);
    expect(flight.bus.setpointValid[0]! & SIGNALS.setpointValid.values.velZ).toBe(0);
  });

  it("without attitude or rates the flight is terminated permanently, regardless of CBRK_FLIGHTTERM", () => {
    for (const bit of [VALID.attitude, VALID.rates]) {
      const flight = newFlight();
      const steps = [
        [20, ALL_VALID - bit],
        [20.1, ALL_VALID],
      ] as const;
      const events = eventsUntil(flight, 21, validity(flight, steps));
      expect(timeOf(events, "nav_state", 13)).toBeCloseTo(20, 2);
      expect([flight.bus.navState[0], flight.bus.failsafe[0]]).toEqual([13, 5]);
      expect(Math.max(...flight.bus.motorCommand)).toBe(0);
    }
  });

  it("prevents arming until it is valid again", () => {
    const flight = newFlight();
    const events = eventsUntil(
      flight,
      8,
      validity(flight, [
        [0, NO_POSITION],
        [5, ALL_VALID],
      ]),
    );
    expect(timeOf(events, "armed", 1)).toBeCloseTo(6, 1);
  });

  it("ends the hold before another failsafe's action", () => {
    const flight = newFlight();
    const low = drain(flight, [[20, 0.06]]);
    const lost = validity(flight, [
      [21, NO_POSITION],
      [22, ALL_VALID],
    ]);
    const events = eventsUntil(flight, 26, () => {
      low();
      lost();
    });
    expect(timeOf(events, "nav_state", 4, 19)).toBeCloseTo(20, 1);
    expect(timeOf(events, "nav_state", 12)).toBeCloseTo(21, 1);
    expect(timeOf(events, "nav_state", 5)).toBeCloseTo(23, 1);
  });
});

describe("other failsafes", () => {
  it("disarm a vehicle that flips while it takes off, and only warn later", () => {
    const early = newFlight({ parameters: { COM_LKDOWN_TKO: 10 } });
    const flip = (from: number) => (flight: OracleFlight) => () => {
      if (flight.t > from) flight.plant.q.set([0.5, Math.sqrt(0.75), 0, 0]);
    };
    const events = eventsUntil(early, 9, flip(8)(early));
    expect(timeOf(events, "armed", 0, 2)).toBeCloseTo(8.3, 1);
    const late = newFlight();
    eventsUntil(late, 8.5, flip(8)(late));
    expect(late.bus.armed[0]).toBe(1);
    expect(late.bus.failsafe[0]).toBe(4);
    const ended = newFlight({ parameters: { CBRK_FLIGHTTERM: 0 } });
    eventsUntil(ended, 10, flip(8)(ended));
    expect(ended.bus.navState[0]).toBe(13);
    expect(Array.from(ended.bus.motorCommand)).toEqual(Array.from({ length: 12 }, () => 0));
  });

  it("have one trigger time for roll and another for pitch", () => {
    const failed = (q: readonly number[]) => {
      const flight = newFlight({ parameters: { FD_FAIL_R_TTRI: 5, FD_FAIL_P_TTRI: 0.2 } });
      eventsUntil(flight, 8.4, () => void (flight.t > 8 && flight.plant.q.set(q)));
      return flight.bus.failsafe[0];
    };
    expect(failed([0.5, Math.sqrt(0.75), 0, 0])).toBe(0);
    expect(failed([Math.SQRT1_2, 0, Math.SQRT1_2, 0])).toBe(4);
  });

  it("let a terminated vehicle land and disarm permanently, and report the reason", () => {
    const flight = newFlight({ parameters: { GF_MAX_VER_DIST: 2, GF_ACTION: 4 } });
    const requests = makeRequests(flight, [[35, HOLD, 3, 2]]);
    const events = eventsUntil(flight, 40, requests);
    const endedAt = timeOf(events, "nav_state", 13);
    expect(timeOf(events, "armed", 0, endedAt)).toBeLessThan(endedAt + 10);
    expect(timeOf(events, "armed", 1, endedAt)).toBeNaN();
    expect(timeOf(events, "failsafe", 0, endedAt)).toBeNaN();
    expect([flight.bus.failsafe[0], flight.bus.navState[0]]).toEqual([6, 13]);
  });

  it("keep a fence breach active until the pilot requests a mode", () => {
    const flight = newFlight({
      parameters: { GF_MAX_HOR_DIST: 8, GF_ACTION: 3, COM_FAIL_ACT_T: 0, RTL_RETURN_ALT: 10 },
    });
    let backAt = NaN;
    const events = eventsUntil(flight, 60, () => {
      const isInside = Math.hypot(flight.plant.pos[0]!, flight.plant.pos[1]!) < 7;
      if (flight.bus.navState[0] === 5 && isInside && Number.isNaN(backAt)) backAt = flight.t;
      if (flight.t > backAt + 1) flight.override = { mode: HOLD, count: 2 };
    });
    const left = timeOf(events, "failsafe", 6);
    const cleared = timeOf(events, "failsafe", 0, left);
    expect(timeOf(events, "nav_state", 3, left)).toBeNaN();
    expect(cleared).toBeCloseTo(backAt + 1, 1);
    expect(timeOf(events, "nav_state", 4, left)).toBeCloseTo(cleared, 2);
  });

  it("hold a vehicle that leaves the mission's fence", () => {
    const { lat, lon } = setup.home;
    const fence = {
      circles: [{ center: { latDeg: lat, lonDeg: lon }, radiusM: 8, inclusion: true }],
      polygons: [],
    };
    const flight = newFlight({ mission: { ...missionOf(setup), fence } });
    const events = eventsUntil(flight, 30);
    expect(timeOf(events, "failsafe", 6)).toBeGreaterThan(10);
    expect(flight.bus.navState[0]).toBe(4);
  });

  it("hold a vehicle that leaves its fence, or bring it back", () => {
    const held = newFlight({ parameters: { GF_MAX_HOR_DIST: 8 } });
    const events = eventsUntil(held, 30);
    expect(timeOf(events, "failsafe", 6)).toBeGreaterThan(10);
    expect(held.bus.navState[0]).toBe(4);
    const back = newFlight({ parameters: { GF_MAX_VER_DIST: 8, GF_ACTION: 3, COM_FAIL_ACT_T: 0 } });
    expect(timeOf(eventsUntil(back, 20), "nav_state", 5)).toBeGreaterThan(5);
  });
});
