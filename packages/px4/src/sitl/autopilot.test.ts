/**
 * Stock PX4 as an autopilot in the real engine, with the mock as its peer: requests become commands, answers become
 * signals, and rejections and timeouts become typed errors.
 */
import { Flight, flyAsync, SIGNALS } from "@escapement/core";
import type { Mission, View } from "@escapement/core";
import { afterEach, describe, expect, it } from "vitest";
import type { AutopilotContext } from "../context.ts";
import { px4Projection } from "../projection.ts";
import { standingFlight } from "../testing/standing-vehicle.ts";
import { SitlAutopilot } from "./autopilot.ts";
import { MockPx4 } from "../testing/mock-px4.ts";
import type { MockOptions } from "../testing/mock-px4.ts";
import type { SitlParams } from "./params.ts";
import { SimulatorPort } from "./simulator-port.ts";
import { VehicleLink } from "./vehicle-link.ts";

const params: SitlParams = {
  model: "none_iris",
  clockOffsetS: 1,
  readyWithinS: 5,
  batteryPeriodS: 0.1,
  groundTruthPeriodS: 0.02,
  airframeParameters: true,
};

const DROP_OUT = SIGNALS.sensorFaultKind.values["drop-out"];
const item = { p1: 0, p2: 2, p3: 0, p4: Number.NaN, autoContinue: true };
const mission: Mission = {
  items: [
    { ...item, command: 22, frame: "relative", latDeg: 47.398, lonDeg: 8.5456, altM: 10 },
    { ...item, command: 16, frame: "amsl", latDeg: 47.39818, lonDeg: 8.5456, altM: 500 },
    { ...item, command: 178, frame: "mission", p1: 1, p2: 3, latDeg: 0, lonDeg: 0, altM: 0 },
    { ...item, command: 21, frame: "relative", latDeg: 47.398, lonDeg: 8.5456, altM: 0 },
  ],
};

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function setUp(
  mock: Partial<MockOptions> = {},
  context: Partial<AutopilotContext> = {},
  over: Partial<SitlParams> = {},
  vehicleParameters: Readonly<Record<string, number>> = {},
) {
  const port = new SimulatorPort({
    instance: 0,
    port: 0,
    limits: { replyMs: 900, connectMs: 10_000, freewheelMs: 10_000 },
  });
  const link = new VehicleLink({ instance: 0, port: 0 });
  const px4 = new MockPx4({
    port: await port.open(),
    linkPort: await link.open(),
    bootFrames: 5,
    readyAfterUs: 300_000,
    ...mock,
  });
  closing.push(
    () => port.close(),
    () => link.close(),
    () => px4.die(),
  );
  const autopilot = new SitlAutopilot({
    links: { port, link },
    params: { ...params, ...over },
    vehicleParameters,
    context: { periodUs: 4000, rotors: [], origin: { latDeg: 47.397742, lonDeg: 8.545594, altM: 488 }, ...context },
  });
  px4.start();
  const fly = (endS: number, request?: (tS: number, bus: View<"scenario">) => void) => {
    const flight = new Flight({
      ...standingFlight({ endS, autopilot, ...(request === undefined ? {} : { request }) }),
      probes: [autopilot.groundTruth],
    });
    return { flight, end: flyAsync(flight, { untilAnswer: () => port.until() }) };
  };
  return { port, link, px4, autopilot, fly };
}

function ask(bus: View<"scenario">, armed: number, mode: number, count: number): void {
  bus.requestArmed[0] = armed;
  bus.requestMode[0] = mode;
  bus.requestCount[0] = count;
}

describe("stock PX4 as autopilot", () => {
  it("uploads the mission's fence after its items", async () => {
    const corner = (latDeg: number, lonDeg: number) => ({ latDeg, lonDeg });
    const polygon = [corner(47.3, 8.5), corner(47.3, 8.6), corner(47.4, 8.6)];
    const fence = {
      circles: [{ center: corner(47.4, 8.5), radiusM: 120, inclusion: false }],
      polygons: [{ points: polygon, inclusion: true }],
    };
    const { px4, fly } = await setUp({}, { mission: { ...mission, fence } });
    await fly(1).end;
    expect(px4.missionItems).toHaveLength(4);
    expect(px4.fenceItems).toEqual([
      { command: 5001, param1: 3, x: 473_000_000, y: 85_000_000 },
      { command: 5001, param1: 3, x: 473_000_000, y: 86_000_000 },
      { command: 5001, param1: 3, x: 474_000_000, y: 86_000_000 },
      { command: 5004, param1: 120, x: 474_000_000, y: 85_000_000 },
    ]);
  });

  it("handles requests to arm or disarm separately from mode requests", async () => {
    const { px4, fly } = await setUp();
    const { end } = fly(3, (tS, bus) => {
      if (tS >= 0.5) ask(bus, 1, 0, 1);
      if (tS >= 1) ask(bus, 1, 3, 2);
      if (tS >= 1.5) ask(bus, -2, 3, 3);
      if (tS >= 2) ask(bus, 3, 3, 4);
      if (tS >= 2.5) ask(bus, 4, 3, 5);
    });
    await end;
    expect(px4.commands).toEqual([400, 176, 400, 400, 400]);
    expect(px4.armed).toBe(true);
  });

  it("sends a request to go to a position as a reposition command, with and without a heading", async () => {
    const { px4, fly } = await setUp();
    const { end } = fly(2, (tS, bus) => {
      if (tS >= 0.5) {
        bus.requestPosNed.set([100, -50, -12]);
        bus.requestYaw[0] = 1.5;
        bus.requestYawGiven[0] = 1;
        ask(bus, 0, 6, 1);
      }
      if (tS >= 1) {
        bus.requestYawGiven[0] = 0;
        ask(bus, 0, 6, 2);
      }
    });
    await end;
    const place = px4Projection({ latDeg: 47.397742, lonDeg: 8.545594, altM: 488 });
    const geodetic = new Float64Array(3);
    place.toGeodeticInto(geodetic, [100, -50, -12]);
    const [x, y] = [Math.round(geodetic[0]! * 1e7), Math.round(geodetic[1]! * 1e7)];
    const command = { command: 192, frame: 0, param1: -1, param2: 1, x, y, z: 500 };
    expect(px4.positionCommands).toEqual([
      expect.objectContaining({ ...command, param4: 1.5 }),
      expect.objectContaining({ ...command, param4: Number.NaN }),
    ]);
  });

  it("ends the flight with PX4's answer if PX4 rejects a request to go to a position", async () => {
    const { fly } = await setUp({ denies: "mode" });
    const { end } = fly(10, (tS, bus) => void (tS >= 0.5 && ask(bus, 0, 6, 1)));
    await expect(end).rejects.toThrow(/SITL-.*"go to" with denied/);
  });

  it("uploads the mission, waits until PX4 is ready, arms, starts, and publishes PX4's signals", async () => {
    const { px4, port, autopilot, fly } = await setUp({}, { mission });
    const { flight, end } = fly(4, (tS, bus) => {
      if (tS >= 0.1) ask(bus, 1, 0, 1);
      if (tS >= 0.2) ask(bus, 1, 1, 2);
    });
    await end;
    expect(px4.missionItems.map(({ command, frame }) => [command, frame])).toEqual([
      [22, 6],
      [16, 5],
      [178, 2],
      [21, 6],
    ]);
    expect(px4.missionItems[1]).toMatchObject({ x: 473_981_800, y: 85_456_000 });
    expect(px4.armed).toBe(true);
    expect(px4.customMode >>> 0).toBe((4 << 16) | (4 << 24));
    expect(autopilot.pilot.readyAtUs).toBeGreaterThanOrEqual(300_000);
    const signal = (name: Parameters<typeof flight.bus.signal>[0]) => flight.bus.signal(name)[0];
    expect([signal("armed"), signal("navState"), signal("landDetected"), signal("missionCount")]).toEqual([1, 3, 0, 4]);
    expect(flight.bus.signal("motorCommand")[1]! - flight.bus.signal("motorCommand")[0]!).toBeCloseTo(0.001, 6);
    expect(port.stats).toMatchObject({ missed: 0, late: 0 });
    expect(px4.received).toContain("HEARTBEAT");
  });

  it("reports our battery to PX4", async () => {
    const { px4, fly } = await setUp();
    await fly(1).end;
    expect(px4.batteries.length).toBeGreaterThanOrEqual(5);
    expect(px4.batteries[px4.batteries.length - 1]!.volts).toBeCloseTo(16, 2);
    expect(px4.batteries[px4.batteries.length - 1]!.remaining).toBe(80);
  });

  it("keeps periods that are not multiples of its tick", async () => {
    const { px4, fly } = await setUp({}, {}, { batteryPeriodS: 0.03 });
    await fly(1.2).end;
    // Battery messages are sent only after PX4's first message.
    expect(px4.batteries.length).toBeGreaterThan(30);
    expect(px4.batteries.length).toBeLessThanOrEqual(41);
  });

  it("sends inertial data at every tick and the slower sensors at their own ticks", async () => {
    const { px4, fly } = await setUp();
    await fly(0.8).end;
    expect(px4.updated.every((mask) => (mask & 0x3f) === 0x3f)).toBe(true);
    const every = (bits: number) => px4.updated.filter((mask) => (mask & bits) === bits).length / px4.updated.length;
    expect(every(0x01c0)).toBeCloseTo(1 / 3, 1);
    expect(every(0x1a00)).toBeCloseTo(1 / 5, 1);
  });

  it("changes parameters in flight, and sends integers as raw bytes", async () => {
    const { px4, fly } = await setUp(
      { parameters: { MPC_XY_CRUISE: { value: 5, whole: false }, COM_LOW_BAT_ACT: { value: 3, whole: true } } },
      {
        parameterChanges: [
          { name: "MPC_XY_CRUISE", value: 2.5, bit: 1 },
          { name: "COM_LOW_BAT_ACT", value: -1, bit: 2 },
        ],
      },
    );
    await fly(2, (tS, bus) => (bus.parameterChanges[0] = tS >= 1 ? 3 : 0)).end;
    expect(px4.received.filter((name) => name === "PARAM_SET")).toHaveLength(2);
    const kept = (px4 as unknown as { parameters: Map<string, { value: number }> }).parameters;
    expect([kept.get("MPC_XY_CRUISE")!.value, kept.get("COM_LOW_BAT_ACT")!.value]).toEqual([2.5, -1]);
  });

  it("sets the parameters whose values differ in PX4, including the vehicle's, and warns about those that PX4 does not have", async () => {
    const kept = {
      CA_ROTOR2_KM: { value: -0.05, whole: false },
      CA_ROTOR_COUNT: { value: 4, whole: true },
      NAV_ACC_RAD: { value: 2, whole: false },
    };
    const context = { parameters: { NAV_ACC_RAD: 10, NO_SUCH: 1, MAV_SYS_ID: 7 } };
    const vehicleParameters = { CA_ROTOR2_KM: 0.05, CA_ROTOR_COUNT: 8 };
    const { px4, autopilot, link, fly } = await setUp({ parameters: kept }, context, {}, vehicleParameters);
    await fly(5).end;
    expect(px4.received.filter((name) => name === "PARAM_SET")).toHaveLength(3);
    expect([...link.parameters].map(([name, { value }]) => [name, value])).toEqual([
      ["CA_ROTOR2_KM", Math.fround(0.05)],
      ["CA_ROTOR_COUNT", 8],
      ["NAV_ACC_RAD", 10],
    ]);
    const words = autopilot.messages.filter(({ text }) => text.startsWith("without effect"));
    expect(words.map(({ isWarning, text }) => [isWarning, text])).toEqual([
      [true, "without effect: NO_SUCH, which this PX4 does not have"],
      [true, "without effect: MAV_SYS_ID, which the bridge sets itself"],
    ]);
    await expect((await setUp({}, {}, {}, { CA_ROTOR_COUNT: 8 })).fly(60).end).rejects.toThrow(
      /SITL-012.*CA_ROTOR_COUNT/,
    );
  });

  it("joins PX4's long messages, forwards repeated messages once, and failsafes with their reason", async () => {
    const { px4, autopilot, fly } = await setUp();
    const long = `Failsafe activated: ${"a reason that is longer than one message ".repeat(2)}`;
    const { end } = fly(2, (tS) => {
      if (px4.sentCount > 0 || tS < 1) return;
      px4.sendText(long, 2);
      px4.sendText("Landing at current position", 6);
      px4.sendText("Landing at current position", 6);
      px4.sendText("for developers", 7);
      px4.raise("commander_failsafe_enter_hold", [0, 0, 0, 0, 6, 5, 0, 4], 2);
    });
    await end;
    const words = autopilot.messages.filter(({ tUs }) => tUs >= 1_000_000);
    expect(words.map(({ isWarning, text }) => [isWarning, text])).toEqual([
      [true, long.trim()],
      [false, "Landing at current position"],
      [true, "failsafe: battery critical, Return in 5 s"],
    ]);
  });

  it("continues if PX4 denies a request to disarm in the air", async () => {
    const { autopilot, fly } = await setUp({ denies: "disarm" });
    await fly(3, (tS, bus) => ask(bus, tS < 1 ? 1 : -2, 0, tS < 1 ? 1 : 2)).end;
    expect(autopilot.messages.map(({ text }) => text)).toContain('PX4 answered "disarm" with denied');
  });

  it("continues while the gyroscope delivers no samples, although PX4 then sends no answers", async () => {
    const { port, fly } = await setUp({ needsGyro: true });
    await fly(2, (tS, bus) => (bus.sensorFaultKind[0] = tS >= 1 && tS < 1.5 ? DROP_OUT : 0)).end;
    expect(port.stats.missed).toBe(0);
    expect(port.stats.quiet).toBeGreaterThan(100);
  });

  it("reports every mission item that PX4 reaches, even two between ticks", async () => {
    const { px4, fly } = await setUp({}, { mission });
    const seen: number[] = [];
    const { end } = fly(2, (tS, bus) => {
      if (tS >= 1 && px4.sentCount === 0) px4.reach(0, 1, 2);
      const value = bus.missionReached[0]!;
      if (value !== seen.at(-1)) seen.push(value);
    });
    await end;
    expect(seen).toEqual([-1, 0, 1, 2]);
  });

  it("ensures that PX4 has the parameters of the flight, several at the same time", async () => {
    const many = Array.from({ length: 40 }, (_, i) => [`PARAM_${i}`, i / 3] as const);
    const kept = many.map(([name, value]) => [name, { value, whole: Number.isInteger(value) }] as const);
    const { autopilot, fly } = await setUp(
      { parameters: Object.fromEntries(kept) },
      { parameters: Object.fromEntries(many) },
    );
    await fly(2).end;
    expect(autopilot.pilot.readyAtUs).toBeGreaterThan(0);
  });

  it.each([
    [
      "keeps a different value of a parameter",
      { parameters: { NAV_DLL_ACT: { value: 1, whole: true } } },
      { parameters: { NAV_DLL_ACT: 1.5 } },
      /SITL-010.*NAV_DLL_ACT at 1 instead of 1\.5/,
    ],
    ["never becomes ready", { readyAfterUs: 1e12 }, {}, /SITL-009.*Preflight Fail: ekf2 missing data/],
    ["denies arming", { commandResult: 2 }, {}, /SITL-010.*"arm" with denied/],
    ["does not support the command", { commandResult: 3 }, {}, /SITL-010.*unsupported/],
    ["does not acknowledge", { ignores: ["command"] }, {}, /SITL-012.*did not acknowledge "arm"/],
    [
      "finds the mission infeasible",
      { denies: "mode", rejects: "Mission rejected: Landing waypoint/pattern required." },
      { mission },
      /SITL-011.*Landing waypoint\/pattern required/,
    ],
    ["rejects the mission", { missionResult: 5 }, { mission }, /SITL-011.*invalid/],
    ["does not accept the mission", { ignores: ["mission"] }, { mission }, /SITL-012.*mission of 4 items/],
    [
      "does not have a parameter",
      {},
      { parameterChanges: [{ name: "NO_SUCH", value: 1, bit: 1 }] },
      /SITL-012.*NO_SUCH/,
    ],
    ["dies before it is ready", { plan: { 40: { do: "die" } } }, {}, /SITL-004/],
    ["dies in the middle of the upload", { plan: { 8: { do: "die" } } }, { mission }, /SITL-004/],
  ] as [string, Partial<MockOptions>, Partial<AutopilotContext>, RegExp][])(
    "ends with a typed error when PX4 %s",
    async (_name, mock, context, message) => {
      const { fly } = await setUp(mock, context);
      const { end } = fly(60, (_tS, bus) => {
        ask(bus, 1, 1, 2);
        bus.parameterChanges[0] = 1;
      });
      await expect(end).rejects.toThrow(message);
    },
  );

  it("cannot be saved, so a session flies it again", async () => {
    const { autopilot } = await setUp();
    expect(autopilot.restore).toBe("fly-again");
    expect(() => new Flight(standingFlight({ endS: 1, autopilot })).save()).toThrow(/ENGINE-008/);
  });
});
