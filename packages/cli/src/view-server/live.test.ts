/**
 * Live flights over a real WebSocket: commands become events of the description, every row arrives once, and the
 * resulting description, flown from its start, has the same fingerprint. A flight that cannot keep its pace still
 * answers commands.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { flyFlightNow } from "@escapement/core";
import { type FromWorker, mustResolveText } from "@escapement/viewer";
import { WebSocket } from "ws";
import { LiveConnection } from "../../../viewer/src/view/store/live.ts";
import { registry } from "../registry.ts";
import { openLive } from "./fly-live.ts";
import { ViewServer } from "./server.ts";

/** The server's folder of scripts. It is empty, because the test needs no page. */
const folder = mkdtempSync(join(tmpdir(), "escapement-live-"));
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Flies a built-in flight, and connects to it as the page does. */
async function follow(name: string, pace: number) {
  const live = await openLive(name, { pace, registry });
  const server = await ViewServer.start({ folder, names: [], registry, port: 0, isReadOnly: true, live: live.hub });
  const failures: unknown[] = [];
  live.start((error) => failures.push(error));
  closers.push(async () => {
    await live.stop();
    await server.close();
    expect(failures).toEqual([]);
  });
  const { host, hash } = new URL(server.url);
  const socket = new WebSocket(`ws://${host}/live`, `escapement.${hash.slice("#k=".length)}`);
  socket.binaryType = "arraybuffer";
  const received: FromWorker[] = [];
  let wake = () => {};
  const connection = new LiveConnection(socket as never, (message) => (received.push(message), wake()), wake);
  const until = async <K extends FromWorker["is"]>(
    is: K,
    fits: (message: Extract<FromWorker, { is: K }>) => boolean,
  ) => {
    for (;;) {
      const found = received.find((each) => each.is === is && fits(each as Extract<FromWorker, { is: K }>));
      if (found !== undefined) return found as Extract<FromWorker, { is: K }>;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { connection, received, until };
}

describe("commands over the socket of a live flight", () => {
  it("happen at the next tick, and the resulting description gives the same flight when flown from its start", async () => {
    const { connection, received, until } = await follow("motor-out", 20);
    await until("rows", ({ flownUs }) => flownUs > 2_000_000);
    await connection.command([{ for: "1 s", gust: { velNedMps: [0, 5, 0] } }]);
    await until("rows", ({ flownUs }) => flownUs > 9_000_000);
    await connection.command([{ windMean: { velNedMps: [3, 0, 0] } }]);
    await expect(connection.command([{ motorOff: { motor: 9 } }])).rejects.toThrow();
    const { end } = await until("end", () => true);
    const heads = received.flatMap((each) => (each.is === "amended" ? [each.head] : []));
    expect(heads).toHaveLength(2);
    const text = heads[1]!.text!;
    expect(text).toMatch(/gust[^]*windMean/);
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(end.fingerprint);
    const times = received.flatMap((each) => (each.is === "rows" ? [...each.batch.timesUs] : []));
    // The last row is the crash, which is between two ticks of the log.
    expect(times.slice(0, -1)).toEqual(times.slice(0, -1).map((_, i) => i * 20_000));
    await expect(connection.command([{ land: {} }])).rejects.toThrow();
  });

  it("are answered while a flight cannot keep its pace", async () => {
    // No machine can fly at this pace, so without the limit the flight would end before the answer.
    const { connection, received, until } = await follow("battery-rtl", 1_000_000);
    await until("rows", () => true);
    await connection.command([{ land: {} }]);
    expect(received.some((each) => each.is === "end")).toBe(false);
  });
});
