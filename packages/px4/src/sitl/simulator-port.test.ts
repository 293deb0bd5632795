/**
 * The lockstep link with clients that follow the protocol and clients that violate it at any frame. Every wait ends,
 * and every violation is counted or becomes a typed error.
 */
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { FrameWriter } from "../mavlink/frame.ts";
import { addHilSensor, SENSOR_VALUE_COUNT } from "../mavlink/hil.ts";
import { MockPx4 } from "../testing/mock-px4.ts";
import type { MockOptions } from "../testing/mock-px4.ts";
import { SimulatorPort } from "./simulator-port.ts";
import type { PortLimits } from "./port-limits.ts";

const open: (SimulatorPort | MockPx4)[] = [];

afterEach(async () => {
  for (const part of open.splice(0)) {
    if (part instanceof MockPx4) part.die();
    else await part.close();
  }
});

async function link(limits: Partial<PortLimits> = {}, mock: Partial<MockOptions> = {}) {
  const port = new SimulatorPort({
    instance: 0,
    port: 0,
    limits: { connectMs: 5000, freewheelMs: 5000, replyMs: 900, ...limits },
  });
  const number = await port.open();
  const px4 = new MockPx4({ port: number, bootFrames: 5, ...mock });
  px4.armed = true;
  open.push(port, px4);
  px4.start();
  return { port, px4, number };
}

/** Makes `count` steps of 4 ms; stops at a failure. */
async function fly(port: SimulatorPort, count: number, each: (k: number) => void = () => {}): Promise<void> {
  const batch = new FrameWriter({ systemId: 1, componentId: 51 });
  const time = new Float64Array(1);
  const values = new Float64Array(SENSOR_VALUE_COUNT);
  for (let k = 1; k <= count; k += 1) {
    time[0] = 1_000_000 + 4000 * k;
    addHilSensor(batch, time, values, 0x3f, 0);
    port.step(time[0], batch);
    while (port.waiting) await port.until();
    batch.clear();
    each(k);
    if (port.failure !== undefined) return;
  }
}

describe("lockstep link", () => {
  it("listens, free-runs while PX4 boots, then locks and exchanges one answer per frame", async () => {
    const { port, px4 } = await link();
    const states = new Set<string>();
    const commands: number[] = [];
    await fly(port, 300, () => {
      states.add(port.state);
      if (port.state === "locked") commands.push(Math.round(port.controls.controls[0]! * 1000));
    });
    expect(port.failure).toBeUndefined();
    expect([...states]).toEqual(["freewheel", "locked"]);
    expect(port.stats).toMatchObject({ frames: 300, missed: 0, doubled: 0, strange: 0 });
    expect(port.stats.freewheelFrames).toBeGreaterThanOrEqual(5);
    expect(port.stats.roundTripMaxMs).toBeGreaterThanOrEqual(port.stats.roundTripMeanMs);
    // In lockstep, the answer used at a step is the answer to that step.
    expect(commands.slice(-50)).toEqual(Array.from({ length: 50 }, (_, i) => (px4.frames - 49 + i) % 100));
    expect(px4.times).toEqual(Array.from({ length: 300 }, (_, i) => 1_004_000 + 4000 * i));
  });

  it("waits for a PX4 that starts later", async () => {
    const port = new SimulatorPort({ instance: 0, port: 0, limits: { connectMs: 20_000 } });
    const number = await port.open();
    open.push(port);
    const flight = fly(port, 30);
    await new Promise((done) => setTimeout(done, 60));
    const px4 = new MockPx4({ port: number, bootFrames: 3 });
    open.push(px4);
    px4.start();
    await flight;
    expect(port.stats).toMatchObject({ frames: 30, missed: 0 });
  });

  it("tolerates a short stall, and counts a long one as a missed and a late answer", async () => {
    const { port } = await link(
      { replyMs: 60 },
      { plan: { 30: { do: "stall", ms: 10 }, 40: { do: "stall", ms: 90 } } },
    );
    await fly(port, 60);
    await new Promise((done) => setTimeout(done, 400));
    expect(port.failure).toBeUndefined();
    expect(port.stats).toMatchObject({ frames: 60, missed: 1, late: 1 });
  });

  it("holds the last command over a missed answer", async () => {
    const { port } = await link({ replyMs: 300 }, { plan: { 30: { do: "skip" } } });
    const commands: number[] = [];
    await fly(port, 32, () => commands.push(Math.round(port.controls.controls[0]! * 1000)));
    expect(port.stats.missed).toBe(1);
    expect(commands.slice(-4)).toEqual([29, 29, 31, 32]);
  });

  it("ends a strict flight at the first missed answer, and names the step", async () => {
    const { port } = await link({ replyMs: 300, strict: true }, { plan: { 30: { do: "skip" } } });
    await fly(port, 60);
    expect(port.failure?.message).toMatch(/SITL-006.*1\.12 s of its clock.*300 ms/);
    expect(port.stats.frames).toBe(30);
  });

  it("ends any flight if PX4 stops answering", async () => {
    const plan = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [30 + i, { do: "skip" as const }]));
    const { port } = await link({ replyMs: 40, missesInARow: 8 }, { plan });
    await fly(port, 60);
    expect(port.failure?.message).toMatch(/SITL-007.*8 consecutive steps/);
  });

  it("ends if too many answers are missing, even if few of them are consecutive", async () => {
    const plan = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [30 + 3 * i, { do: "skip" as const }]));
    const { port } = await link({ replyMs: 20 }, { plan });
    await fly(port, 600);
    expect(port.failure?.message).toMatch(/SITL-016.*did not answer \d+ of the last 250 steps/);
    expect(port.stats.frames).toBeLessThan(350);
  });

  it("waits without limit for a PX4 that stops in a debugger, until the flight is cancelled", async () => {
    const stall = { do: "stall" as const, ms: 1200 };
    const { port } = await link({ replyMs: 20, unlimited: true }, { plan: { 30: stall, 40: { do: "skip" } } });
    let isCancelled = false;
    await fly(port, 60, (k) => {
      if (k !== 38) return;
      setTimeout(() => {
        isCancelled = true;
        port.cancelWaits();
      }, 300);
    });
    expect(port.failure).toBeUndefined();
    expect(isCancelled).toBe(true);
    expect(port.stats).toMatchObject({ missed: 0, frames: 60 });
    expect(port.stats.roundTripMaxMs).toBeGreaterThan(1000);
  });

  it("discards duplicate, late and future answers and garbage, and joins split frames", async () => {
    const garbage = Uint8Array.from({ length: 300 }, (_, i) => [0xfd, 0x51, 0x00, 0xfe, 7][(i * 7) % 5]!);
    const { port } = await link(
      {},
      {
        plan: {
          30: { do: "double" },
          40: { do: "late" },
          50: { do: "future" },
          60: { do: "garbage", bytes: garbage },
          70: { do: "split" },
        },
      },
    );
    const commands: number[] = [];
    await fly(port, 99, () => commands.push(Math.round(port.controls.controls[0]! * 1000)));
    expect(port.failure).toBeUndefined();
    expect(port.stats).toMatchObject({ frames: 99, missed: 0, strange: 1 });
    expect(port.stats.doubled + port.stats.late).toBeGreaterThanOrEqual(2);
    expect(port.parser.stats.skipped).toBeGreaterThan(0);
    expect(commands.slice(71)).toEqual(Array.from({ length: 28 }, (_, i) => 72 + i));
  });

  it("lets PX4 reconnect while it boots, but ends the flight if PX4 disconnects when locked", async () => {
    const booting = await link({}, { bootFrames: 12, plan: { 6: { do: "reconnect" } } });
    await fly(booting.port, 40);
    expect(booting.port.failure).toBeUndefined();
    expect(booting.port.state).toBe("locked");
    const locked = await link({}, { plan: { 25: { do: "reconnect" } } });
    await fly(locked.port, 40);
    expect(locked.port.failure?.message).toMatch(/SITL-004.*closed the connection/);
  });

  it("never hangs, at any frame at which PX4 dies", async () => {
    for (let at = 1; at <= 12; at += 1) {
      const { port } = await link({ connectMs: 300 }, { plan: { [at]: { do: "die" } } });
      await fly(port, 30);
      // Before its first answer PX4 may reconnect, so the time limit ends the flight. Later, the broken connection ends
      // it.
      expect(port.failure?.code).toBe(at <= 6 ? "SITL-003" : "SITL-004");
    }
  });

  it("reports that PX4 never connected", async () => {
    const port = new SimulatorPort({ instance: 0, port: 0, limits: { connectMs: 30 } });
    open.push(port);
    await port.open();
    await fly(port, 3);
    expect(port.failure?.message).toMatch(/SITL-003.*none_iris/);
  });

  it("reports that PX4 never sent actuators, or runs without lockstep", async () => {
    const mute = await link({ freewheelMs: 100 }, { bootFrames: 1e9 });
    await fly(mute.port, 1000);
    expect(mute.port.failure?.message).toMatch(/SITL-005.*PWM_MAIN_FUNC1/);
    const loose = await link({}, { lockstep: false });
    await fly(loose.port, 1000);
    expect(loose.port.failure?.code).toBe("SITL-008");
  });

  it("rejects a second client and a port in use", async () => {
    const { port, number } = await link();
    await fly(port, 20);
    const intruder = connect(number, "127.0.0.1");
    intruder.on("error", () => {});
    await new Promise((done) => intruder.on("close", done));
    await fly(port, 20);
    expect(port.failure).toBeUndefined();
    expect(port.stats.intruders).toBe(1);
    await expect(new SimulatorPort({ instance: 0, port: number }).open()).rejects.toThrow(/SITL-002/);
  });

  it("rejects limits at which PX4 would fail", () => {
    expect(() => new SimulatorPort({ instance: 0, limits: { replyMs: 1500 } })).toThrow(/SITL-014/);
  });

  it("ends immediately if it is closed while waiting", async () => {
    const port = new SimulatorPort({ instance: 0, port: 0 });
    await port.open();
    const flight = fly(port, 1);
    await port.close();
    await flight;
    expect(port.waiting).toBe(false);
  });
});
