/** Logs of flights with stock PX4, fed by PX4's messages over a real UDP link. */
import { createSocket } from "node:dgram";
import type { Column, Sink } from "@escapement/core";
import { afterEach, describe, expect, it } from "vitest";
import { MESSAGES } from "../mavlink/dialect.ts";
import { FrameWriter } from "../mavlink/frame.ts";
import { EstimateLog } from "./estimate-log.ts";
import { VehicleLink } from "./vehicle-link.ts";

class Rows implements Sink {
  readonly holdsParameters: boolean = true;
  columns: readonly Column[] | undefined;
  readonly rows: number[][] = [];
  isClosed = false;
  readonly isFull = false;

  open(columns: readonly Column[]): void {
    this.columns = columns;
  }

  row(tUs: number, row: ArrayLike<number>): void {
    this.rows.push([tUs, ...Array.from(row)]);
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

const OWN: readonly Column[] = [{ name: "own", unit: "1", about: "A column of the flight." }];
const links: VehicleLink[] = [];
afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
});

/** Returns a link, and a function that sends it messages like PX4 and waits until they have arrived. */
async function openLink() {
  const link = new VehicleLink({ instance: 0, port: 0 });
  links.push(link);
  const port = await link.open();
  const px4 = new FrameWriter({ systemId: 1, componentId: 1 });
  const send = async (add: (frames: FrameWriter) => void) => {
    const { heartbeats } = link.report;
    add(px4);
    px4.add(MESSAGES.HEARTBEAT, {});
    const socket = createSocket("udp4");
    await new Promise<void>((done) => socket.send(px4.take(), port, "127.0.0.1", () => done()));
    socket.close();
    while (link.report.heartbeats === heartbeats) await new Promise((done) => setImmediate(done));
  };
  return { link, send };
}

function sendParameter(frames: FrameWriter, name: string, count: number): void {
  frames.add(MESSAGES.PARAM_VALUE, { param_id: name, param_value: 1.5, param_type: 9, param_count: count });
}

describe("a log of a flight with stock PX4", () => {
  it("contains PX4's own estimate in every row, and is opened when PX4 has reported all parameters", async () => {
    const { link, send } = await openLink();
    const inner = new Rows();
    const reported: number[] = [];
    const log = new EstimateLog(
      inner,
      () => link,
      () => reported.push(link.parameters.size),
    );
    log.open(OWN);
    log.row(0, [7]);
    await send((frames) => {
      sendParameter(frames, "A", 2);
      frames.add(MESSAGES.LOCAL_POSITION_NED, { x: 1, y: 2, z: -3, vx: 4, vy: 5, vz: 6 });
      frames.add(MESSAGES.ATTITUDE_QUATERNION, {
        q1: 0,
        q2: 0,
        q3: 0,
        q4: 1,
        rollspeed: 7,
        pitchspeed: 8,
        yawspeed: 9,
      });
    });
    log.row(20_000, [8]);
    expect(inner.columns).toBeUndefined();
    await send((frames) => {
      sendParameter(frames, "B", 2);
      sendParameter(frames, "_HASH_CHECK", 2);
      frames.add(MESSAGES.LOCAL_POSITION_NED, { x: Number.NaN });
    });
    log.row(40_000, [9]);
    expect(reported).toEqual([2]);
    expect(inner.columns?.map(({ name }) => name).slice(0, 4)).toEqual([
      "own",
      "px4_estimate_valid",
      "px4_pos_ned_n_m",
      "px4_pos_ned_e_m",
    ]);
    const estimate = [1, 1, 2, -3, 4, 5, 6, 0, 0, 0, 1, 7, 8, 9];
    expect(inner.rows).toEqual([
      [0, 7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      [20_000, 8, ...estimate],
      [40_000, 9, ...estimate],
    ]);
  });

  it("is opened at its first row if it contains no parameters", async () => {
    const { link } = await openLink();
    const inner = Object.assign(new Rows(), { holdsParameters: false });
    const log = new EstimateLog(
      inner,
      () => link,
      () => {},
    );
    log.open(OWN);
    log.row(0, [1]);
    expect(inner.rows).toHaveLength(1);
  });

  it("is opened at its end or after half a minute if PX4 does not report its parameters", async () => {
    const { link } = await openLink();
    const ended = new Rows();
    const log = new EstimateLog(
      ended,
      () => link,
      () => {},
    );
    log.open(OWN);
    log.row(0, [1]);
    await log.close();
    expect(ended).toMatchObject({ isClosed: true, rows: [[0, 1, 0]].map((row) => expect.arrayContaining(row)) });
    const waited = new Rows();
    const long = new EstimateLog(
      waited,
      () => link,
      () => {},
    );
    long.open(OWN);
    for (const tUs of [0, 29_999_999, 30_000_000, 30_000_001]) long.row(tUs, [1]);
    expect(waited.rows.map(([tUs]) => tUs)).toEqual([0, 29_999_999, 30_000_000, 30_000_001]);
    const never = new Rows();
    await new EstimateLog(
      never,
      () => link,
      () => {},
    ).close();
    expect(never).toMatchObject({ columns: undefined, isClosed: true });
  });
});
