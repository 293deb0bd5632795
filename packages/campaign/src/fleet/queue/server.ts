/**
 * The connection to a Redis or Valkey server. The packages bullmq and ioredis are optional peer dependencies, which are
 * loaded only here, when a queue is used.
 */
import type { Redis } from "ioredis";
import { campaignErrors } from "../../spec/errors.ts";

type BullMq = typeof import("bullmq");

/** A server that has not answered for this long is assumed to be gone. */
const SERVER_TIMEOUT_MS = 120_000;
const MAX_RETRY_DELAY_MS = 1000;

interface ServerEvents {
  /** The connection works again after it was lost. The server may have lost its data. */
  onReturn?(): void;
  /** The server has not answered for `SERVER_TIMEOUT_MS`. */
  onGone(error: Error): void;
  onNote(text: string): void;
}

export class QueueServer {
  readonly client: Redis;
  readonly bullmq: BullMq;
  /** The address without user and password. */
  readonly address: string;
  private readonly timer: NodeJS.Timeout;
  private lostMs: number | undefined;
  private isClosed = false;

  private constructor(client: Redis, bullmq: BullMq, address: string, events: ServerEvents) {
    this.client = client;
    this.bullmq = bullmq;
    this.address = address;
    client.on("close", () => this.lose(events));
    client.on("ready", () => {
      if (this.lostMs === undefined) return;
      this.lostMs = undefined;
      events.onNote(`${address} answers again`);
      events.onReturn?.();
    });
    this.timer = setInterval(() => {
      if (this.lostMs !== undefined && performance.now() - this.lostMs > SERVER_TIMEOUT_MS)
        events.onGone(unreachableError(address, `it has not answered for ${SERVER_TIMEOUT_MS / 1e3} s`));
    }, 1000);
    this.timer.unref();
  }

  get isLost(): boolean {
    return this.lostMs !== undefined;
  }

  /** Throws a typed error if the packages are missing, or if the server cannot be reached or would lose jobs. */
  static async connect(url: string, events: ServerEvents): Promise<QueueServer> {
    const { address, target } = parseAddress(url);
    const [bullmq, { Redis: Client }] = await loadPackages();
    const client = new Client(target, {
      lazyConnect: true,
      // Commands wait for the connection to return, without a limit. `onGone` ends the wait.
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, MAX_RETRY_DELAY_MS),
    });
    let problem = "";
    client.on("error", (error: Error) => (problem = error.message || String((error as NodeJS.ErrnoException).code)));
    try {
      await client.connect();
      checkMemory(await client.info("memory"), address);
    } catch (error) {
      client.disconnect();
      if (error instanceof Error && "code" in error && error.code === campaignErrors.queueServer.code) throw error;
      throw unreachableError(address, problem === "" ? (error as Error).message : problem);
    }
    return new QueueServer(client, bullmq, address, events);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.client.disconnect();
  }

  private lose({ onNote }: ServerEvents): void {
    if (this.isClosed || this.lostMs !== undefined) return;
    this.lostMs = performance.now();
    onNote(`${this.address} does not answer; waiting for it`);
  }
}

async function loadPackages(): Promise<[BullMq, typeof import("ioredis")]> {
  try {
    return await Promise.all([import("bullmq"), import("ioredis")]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw campaignErrors.missingPackage({
      what: "flights through a queue need the packages bullmq and ioredis",
      fix: "npm install bullmq ioredis",
      cause: error,
    });
  }
}

function parseAddress(url: string): { readonly address: string; readonly target: string } {
  const target = url.replace(/^valkey(s?):/, "redis$1:");
  const parsed = URL.canParse(target) ? new URL(target) : undefined;
  if (parsed === undefined || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "") {
    throw campaignErrors.queueServer({
      what: "the address of the server cannot be used",
      fix: "write it like redis://10.0.0.5:6379, with rediss: for TLS and redis://user:password@… for a password",
    });
  }
  return { address: `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/^\/$/, "")}`, target };
}

function checkMemory(info: string, address: string): void {
  const valueOf = (key: string) => new RegExp(`^${key}:(.*)$`, "m").exec(info)?.[1]?.trim();
  const [limit, policy] = [valueOf("maxmemory"), valueOf("maxmemory_policy")];
  if (policy === undefined || policy === "noeviction" || limit === "0") return;
  throw campaignErrors.queueServer({
    what: `${address} deletes keys when its memory is full (maxmemory-policy ${policy}), including jobs`,
    fix: "set `maxmemory-policy noeviction` in its configuration",
  });
}

function unreachableError(address: string, what: string): Error {
  return campaignErrors.queueServer({
    what: `${address} cannot be reached: ${what}`,
    fix: "start the server, or check its address and password; then run the same command again to continue",
  });
}
