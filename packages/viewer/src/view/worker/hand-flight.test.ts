/** A flight by hand becomes a description that flies to the same rows, and to the same fingerprint anywhere. */
import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { flyFlightNow } from "@escapement/core";
import { listEvents } from "@escapement/formats";
import type { FromWorker, StickMove, StickPositions } from "../protocol.ts";
import { EARLY_TAKE_OFF_TOML } from "../../../../../tests/support/early-take-off.ts";
import { processorMs } from "../testing/store-in-node.ts";
import { Engine } from "./engine.ts";
import { mustResolveText } from "./texts.ts";

const TEXT = `extends = "hover"
${EARLY_TAKE_OFF_TOML}
[timeline]
endS = 11
physicsPeriodS = 0.001
`;
/** An instant in the air: lift-off is at 0.7 s. */
const FROM_US = 3_000_000;
type RowsMessage = Extract<FromWorker, { readonly is: "rows" }>;

interface CockpitOptions {
  readonly fromUs?: number;
  readonly arms?: boolean;
  readonly text?: string;
  readonly flown?: { readonly moves: readonly StickMove[]; readonly untilUs: number };
}

/** An engine with a flight, and a branch of it that is flown by hand from an instant on. */
class Cockpit {
  readonly posted: FromWorker[] = [];
  private readonly engine = new Engine({
    post: (message) => void this.posted.push(structuredClone(message)),
    clockMs: processorMs,
    defer: (callback) => void setImmediate(callback),
  });

  constructor({ fromUs = FROM_US, arms = false, text = TEXT, flown }: CockpitOptions = {}) {
    const again = flown === undefined ? {} : { flown };
    this.engine.receive({ do: "open", seq: 1, id: 1, text, files: {}, name: "" });
    this.engine.receive({ do: "by-hand", seq: 2, id: 2, parent: 1, atUs: fromUs, arms, name: "by hand", ...again });
    this.engine.receive({ do: "rank", ids: [2, 1] });
  }

  async until(fits: (message: FromWorker) => boolean): Promise<FromWorker> {
    for (;;) {
      const found = this.posted.find(fits);
      if (found !== undefined) return found;
      await new Promise((later) => setImmediate(later));
    }
  }

  /** Flies to a time with the sticks in a position. */
  async steer(untilUs: number, sticks: StickPositions): Promise<void> {
    await this.until((each) => each.is === "flight" && each.id === 2);
    this.allow(untilUs, sticks);
    await this.until((each) => each.is === "rows" && each.id === 2 && each.flownUs >= untilUs - 20_000);
  }

  allow(untilUs: number, sticks: StickPositions): void {
    this.engine.receive({ do: "steer", id: 2, untilUs, sticks });
  }

  release(seq: number): void {
    this.engine.receive({ do: "release", seq, id: 2, action: "hold" });
  }

  moves(): StickMove[] {
    return this.posted.flatMap((each) => (each.is === "moved" ? [each.move] : []));
  }

  heads() {
    return this.posted.flatMap((each) => (each.is === "flight" && each.id === 2 ? [each.head] : []));
  }

  async end() {
    const end = await this.until((each) => each.is === "end" && each.id === 2);
    return (end as Extract<FromWorker, { readonly is: "end" }>).end;
  }

  /** Returns the rows by time, as text: of the flight by hand (0), or of its final description (1). */
  rows(which: 0 | 1): Map<number, string> {
    const heads = this.posted.flatMap((each, i) => (each.is === "flight" && each.id === 2 ? [i] : []));
    const part = this.posted.slice(heads[which], heads[which + 1]);
    const batches = part.filter((each): each is RowsMessage => each.is === "rows" && each.id === 2);
    return new Map(
      batches.flatMap(({ batch: { timesUs, values } }) =>
        [...timesUs].map((tUs, i) => {
          const row = Array.from({ length: values.length / timesUs.length }, (_, k) => values[k * timesUs.length + i]);
          return [tUs, row.join(" ")] as const;
        }),
      ),
    );
  }
}

describe("a flight by hand", () => {
  it("becomes one event, and the description with this event flies to the same rows and fingerprint", async () => {
    const cockpit = new Cockpit();
    await cockpit.steer(FROM_US + 100_000, [0, 0, 0, 0]);
    await cockpit.steer(FROM_US + 900_000, [0, 0.6, 0, 0]);
    await cockpit.steer(FROM_US + 917_000, [0, 0.6, -0.3, 0]);
    await cockpit.steer(FROM_US + 2_500_000, [-0.5, 0, 0, 0.4]);
    cockpit.release(3);
    const end = await cockpit.end();
    const [live, final] = cockpit.heads();
    expect(live).toMatchObject({ canBranch: false, endUs: 11_000_000 });
    expect(final).toMatchObject({ canBranch: true, origin: "described", name: "by hand" });
    const [sticks, hold] = listEvents(final!.text!) as [Record<string, never>, Record<string, never>];
    const { timesS, ...axes } = (sticks["sticks"] as { series: Record<string, number[]> }).series;
    expect(Object.keys(axes)).toEqual(["roll", "pitch", "yaw", "throttle"]);
    expect(axes).toEqual({
      roll: [0, 0, -0.5, 0],
      pitch: [0.6, 0.6, 0, 0],
      yaw: [0, -0.3, 0, 0],
      throttle: [0, 0, 0.4, 0],
    });
    expect(timesS!.every((timeS) => Math.round(timeS * 1e6) % 4000 === 0)).toBe(true);
    expect(hold).toEqual({ at: `${3 + timesS!.at(-1)!} s`, hold: {} });
    // The description would end less than 30 s after the sticks are released, so its end is moved.
    expect(final!.endUs).toBe(36_000_000);
    const whole = flyFlightNow(mustResolveText(final!.text!, {}));
    expect([end.fingerprint, end.digests]).toEqual([whole.fingerprint, whole.digests]);
    const [before, after] = [cockpit.rows(0), cockpit.rows(1)];
    const shared = [...before.keys()].filter((tUs) => tUs <= FROM_US + 2_400_000);
    expect(shared.length).toBeGreaterThan(250);
    for (const tUs of shared) expect(after.get(tUs)).toBe(before.get(tUs));
  });

  it("continues in another engine with the movements so far, and repeats the rows of the first one", async () => {
    const first = new Cockpit();
    await first.steer(FROM_US + 100_000, [0, 0, 0, 0]);
    await first.steer(FROM_US + 900_000, [0, 0.6, 0, 0]);
    await first.steer(FROM_US + 1_500_000, [0.4, 0, 0, 0.2]);
    const untilUs = Math.max(...first.rows(0).keys());
    const second = new Cockpit({ flown: { moves: first.moves(), untilUs } });
    // While the second engine catches up, new stick positions have no effect.
    await second.until((each) => each.is === "flight" && each.id === 2);
    second.allow(FROM_US + 1_000_000, [0, 0, 1, 0]);
    await second.until((each) => each.is === "rows" && each.id === 2 && each.flownUs >= untilUs);
    const again = second.rows(0);
    expect(first.rows(0).size).toBeGreaterThan(220);
    for (const [tUs, row] of first.rows(0)) expect(again.get(tUs)).toBe(row);
    await second.steer(FROM_US + 2_500_000, [0, 0, 1, 0]);
    second.release(3);
    const end = await second.end();
    const { text } = second.heads()[1]!;
    const whole = flyFlightNow(mustResolveText(text!, {}));
    expect([end.fingerprint, end.digests]).toEqual([whole.fingerprint, whole.digests]);
    const [sticks] = listEvents(text!) as [{ sticks: { series: Record<string, number[]> } }];
    const { pitch, roll, yaw } = sticks.sticks.series;
    expect([pitch, roll, yaw]).toEqual([
      [0.6, 0, 0, 0],
      [0, 0.4, 0, 0],
      [0, 0, 1, 0],
    ]);
  });

  it("ends at the time that the first engine had reached if the pilot ends it while the second one catches up", async () => {
    const moves: StickMove[] = [{ tUs: FROM_US + 200_000, sticks: [0, 0.6, 0, 0] }];
    const cockpit = new Cockpit({ flown: { moves, untilUs: FROM_US + 900_000 } });
    cockpit.release(3);
    const end = await cockpit.end();
    const text = cockpit.heads()[1]!.text!;
    expect(listEvents(text).at(-1)).toEqual({ at: "3.904 s", hold: {} });
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(end.fingerprint);
  });

  it("flies no farther than the page requests, and records no movement while the page is paused", async () => {
    const cockpit = new Cockpit();
    await cockpit.steer(FROM_US + 100_000, [0, 0, 0, 0]);
    for (let i = 0; i < 50; i += 1) await new Promise((later) => setImmediate(later));
    const flown = Math.max(...cockpit.rows(0).keys());
    expect(flown).toBeLessThanOrEqual(FROM_US + 100_000);
    expect(cockpit.posted.some((each) => each.is === "waiting" && each.id === 2)).toBe(false);
    cockpit.release(3);
    await cockpit.end();
    expect(listEvents(cockpit.heads()[1]!.text!)).toEqual([
      { at: "3 s", sticks: {} },
      { at: "3.104 s", hold: {} },
    ]);
  });

  it("that ends in a crash is flown again without a request, and releasing the sticks later changes nothing", async () => {
    const cockpit = new Cockpit({ text: `${TEXT}\n[[scenario]]\nat = "3.5 s"\nmotorOff = { motor = 2 }\n` });
    await cockpit.steer(FROM_US + 100_000, [0, 0, 0, 0]);
    await cockpit.steer(FROM_US + 200_000, [0, 1, 0, 0]);
    cockpit.allow(FROM_US + 20_000_000, [0, 1, 0, 0]);
    const end = await cockpit.end();
    cockpit.release(4);
    expect(await cockpit.until((each) => "seq" in each && each.seq === 4)).toMatchObject({ is: "superseded" });
    const text = cockpit.heads()[1]!.text!;
    expect(end.outcome).toBe("crashed");
    expect(listEvents(text).map((event) => Object.keys(event).at(-1))).toEqual(["motorOff", "sticks"]);
    expect(flyFlightNow(mustResolveText(text, {})).fingerprint).toBe(end.fingerprint);
  });

  it("can begin on the ground, where an event arms the vehicle", async () => {
    const cockpit = new Cockpit({ fromUs: 0, arms: true });
    await cockpit.steer(500_000, [0, 0, 0, 0]);
    await cockpit.steer(8_000_000, [0, 0, 0, 0.8]);
    cockpit.release(3);
    const end = await cockpit.end();
    const text = cockpit.heads()[1]!.text!;
    const whole = flyFlightNow(mustResolveText(text, {}));
    expect(end.fingerprint).toBe(whole.fingerprint);
    expect(-whole.signal("posNed").at(8)[2]!).toBeGreaterThan(1);
  });
});
