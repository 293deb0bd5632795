/**
 * Tests live flights: the command flies, clients follow over a WebSocket, and commands become events of the
 * description. They run with the embedded autopilot, with a mock of PX4, and in a real browser.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { writeMockProgram } from "../../packages/px4/src/testing/mock-program-files.ts";
import { decodeFrame } from "../../packages/viewer/src/view/live/frames.ts";
import type { FromWorker } from "../../packages/viewer/src/view/protocol.ts";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { launchChromium } from "../determinism/runtimes/chromium.ts";
import { type BuiltCommand, buildCommand } from "../support/command.ts";
import { drawSlowly, hideWebGl, SLOW_MS } from "../support/view-page.ts";

declare const escapement: Store;

const folder = mkdtempSync(join(tmpdir(), "escapement-view-live-"));
const servers: ChildProcess[] = [];
let command: BuiltCommand;

beforeAll(async () => {
  command = await buildCommand();
}, SLOW_MS);
afterAll(() => {
  for (const server of servers) server.kill("SIGINT");
  rmSync(folder, { recursive: true });
});

async function serve(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { env: { ...process.env, ...env } };
  const server = command.start(["view", "--no-open", "--json", "--live", ...args], options);
  servers.push(server);
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  return (JSON.parse(String(line)) as { readonly url: string }).url;
}

type Message<K extends FromWorker["is"]> = Extract<FromWorker, { readonly is: K }>;

/** A client of a live flight that keeps every message. */
class Client {
  readonly received: FromWorker[] = [];
  private readonly socket: WebSocket;
  private wake: () => void = () => {};

  constructor(url: string) {
    const { host, hash } = new URL(url);
    this.socket = new WebSocket(`ws://${host}/live`, `escapement.${hash.slice("#k=".length)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.on("message", (data) => {
      this.received.push(decodeFrame(data as ArrayBuffer));
      this.wake();
    });
  }

  send(text: string): void {
    this.socket.send(text);
  }

  async until<K extends FromWorker["is"]>(
    is: K,
    fits: (message: Message<K>) => boolean = () => true,
  ): Promise<Message<K>> {
    for (;;) {
      const found = this.received.find((each): each is Message<K> => each.is === is && fits(each as Message<K>));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Times of all rows, in the order of their arrival. */
  get timesUs(): number[] {
    return this.received.flatMap((each) => (each.is === "rows" ? [...each.batch.timesUs] : []));
  }

  close(): void {
    this.socket.terminate();
  }
}

describe("a live flight", () => {
  it("rejects invalid commands, and reports why", { timeout: SLOW_MS }, async () => {
    const url = await serve(["mission"]);
    const client = new Client(url);
    await client.until("rows");
    const refusal = async (text: string) => {
      const before = client.received.length;
      client.send(text);
      const fresh = (each: FromWorker) => client.received.indexOf(each) >= before;
      return (await client.until("rejected", fresh)).errors[0]!.code;
    };
    expect(await refusal("not JSON")).toBe("VIEW-009");
    expect(await refusal(JSON.stringify({ do: "command", seq: 1, events: [1] }))).toBe("VIEW-009");
    expect(await refusal(JSON.stringify({ do: "command", seq: 2, events: [] }))).toBe("VIEW-009");
    expect(await refusal(JSON.stringify({ do: "command", seq: 3, events: [{ motorOff: { motor: 9 } }] }))).toMatch(
      /^FLIGHT-/,
    );
    const other = new WebSocket(`ws://${new URL(url).host}/live`, "escapement.wrong");
    const refused = await new Promise((resolve) => {
      other.on("error", () => resolve(true));
      other.on("open", () => resolve(false));
    });
    expect(refused).toBe(true);
    client.close();
  });

  it("with PX4 accepts commands while PX4 flies", { timeout: SLOW_MS }, async () => {
    const { binary, etc } = await writeMockProgram(join(folder, "px4"));
    const described = join(folder, "px4.toml");
    writeFileSync(
      described,
      'extends = "hover"\n\n[timeline]\nendS = 2\n\n[sensors]\nimu = {}\nmagnetometer = {}\nbarometer = {}\ngnss = {}\n',
    );
    const url = await serve(["--autopilot", "px4-sitl", described], { PX4_SITL_BIN: binary, PX4_SITL_ETC: etc });
    const client = new Client(url);
    const { head } = await client.until("flight");
    expect(head.definition?.autopilot.kind).toBe("px4-sitl");
    await client.until("rows");
    const send = (seq: number, event: object) => client.send(JSON.stringify({ do: "command", seq, events: [event] }));
    send(1, { for: "0.4 s", gust: { velNedMps: [0, 7, 0] } });
    const { atUs } = await client.until("commanded", ({ seq }) => seq === 1);
    send(2, { land: {} });
    await client.until("commanded", ({ seq }) => seq === 2);
    send(3, { parameter: { name: "MPC_XY_P", value: 0.5 } });
    expect((await client.until("rejected")).errors[0]!.code).toBe("VIEW-009");
    const { end } = await client.until("end");
    expect(end.endUs).toBe(2_000_000);
    expect(client.timesUs).toHaveLength(101);
    // The gust starts at its tick and lasts as long as commanded.
    const east = head.columns.findIndex(({ signal, component }) => signal === "windGustNed" && component === 1);
    const blown = client.received.flatMap((each) => {
      if (each.is !== "rows") return [];
      const { timesUs, values } = each.batch;
      return [...timesUs].filter((_, i) => values[east * timesUs.length + i] === 7);
    });
    expect([blown[0]! >= atUs, blown[0]! < atUs + 20_000, blown.length]).toEqual([true, true, 20]);
    expect(client.received.filter((each) => each.is === "amended").at(-1)!.head.text).toMatch(/gust[^]*land/);
    client.close();
  });
});

describe("the page of a live flight", () => {
  it("follows the flight, and a key commands it", { timeout: 2 * SLOW_MS }, async ({ skip }) => {
    const browser = await launchChromium({ isIsolated: true, hasWebGl: false });
    if ("missing" in browser) return skip(browser.missing);
    const url = await serve(["mission"]);
    const page = await browser.newPage({ locale: "en-US" });
    page.setDefaultTimeout(SLOW_MS);
    await page.addInitScript(hideWebGl);
    await page.addInitScript(drawSlowly);
    await page.goto(url);
    const until = async (condition: () => boolean) => {
      for (let i = 0; i < 600 && !(await page.evaluate(condition)); i += 1) await page.waitForTimeout(100);
      expect(await page.evaluate(condition)).toBe(true);
    };
    await until(() => (escapement.state.active.value?.flownUs.value ?? 0) > 3_000_000);
    await until(() => escapement.state.isLive.value && escapement.state.nowUs.value > 3_000_000);
    // Going back leaves the live edge; End returns to it.
    await page.keyboard.press("Home");
    expect(await page.evaluate(() => [escapement.state.isLive.value, escapement.state.nowUs.value])).toEqual([
      false,
      0,
    ]);
    await page.keyboard.press("End");
    await until(() => escapement.state.isLive.value && escapement.state.nowUs.value > 3_000_000);
    await page.keyboard.press("l");
    await until(() => escapement.state.active.value?.head.value?.text?.includes("land") === true);
    expect(await page.evaluate(() => escapement.state.flights.value.length)).toBe(1);
    await browser.close();
  });
});
