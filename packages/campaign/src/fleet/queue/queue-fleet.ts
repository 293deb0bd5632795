/**
 * A fleet whose workers run on any machine that can reach a Redis or Valkey server. BullMQ distributes the flights.
 *
 * Jobs are chunks of flights. A finished job stays in the server until its rows are in the journal. The coordinator
 * polls for finished jobs instead of listening to events, because it could miss an event. The server may be restarted
 * or emptied at any time: flights without a row are queued again under the same job id, so that a job that still exists
 * is not duplicated.
 */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Job, Queue } from "bullmq";
import { canonicalJson, SimError } from "@escapement/core";
import { decodeLine, type Row, rowFrom } from "@escapement/formats";
import { type FlightOrder, withoutFlight } from "../../fly/one.ts";
import { campaignErrors } from "../../spec/errors.ts";
import { isRunning } from "../../store/lock.ts";
import type { Fleet, FleetEvents } from "../contracts.ts";
import {
  announce,
  type Announcement,
  type ChunkData,
  type ChunkResult,
  coordinatorKey,
  countLanes,
  LANES_EXPIRY_S,
  PREFIX,
  queueName,
  removeKeys,
  renewAnnouncement,
  withdraw,
} from "./announcement.ts";
import { QueueServer } from "./server.ts";
import { sleep, within } from "./waiting.ts";

const POLL_MS = 50;
/** Number of finished jobs that are read per request. */
const PAGE = 64;
const HEARTBEAT_MS = 2000;
/** A coordinator that has not renewed its lock for this long is assumed dead. */
const COORDINATOR_LOCK_MS = 10_000;
/** Time for workers to leave. A worker that has not left by then is assumed dead. */
const WORKERS_LEAVE_TIMEOUT_MS = 1000 * (LANES_EXPIRY_S + 1);
/** Time limit for removing the queue. */
const REMOVE_TIMEOUT_MS = WORKERS_LEAVE_TIMEOUT_MS + 5000;
/** Computing time of a chunk: long compared with the overhead of a job, but little is lost if its worker is killed. */
const CHUNK_MS = 2000;
/** Largest number of flights in a chunk; the result of a job then stays below about 64 kB. */
const MAX_PER_CHUNK = 64;
/** Chunks to keep queued per lane. One more lane is assumed, so that the first worker that joins finds work. */
const CHUNKS_PER_LANE = 4;
/** The server keeps only a few events, because they are not read, and each contains the rows of its job. */
const KEPT_EVENTS = 10;

interface Chunk {
  readonly id: string;
  readonly orders: readonly FlightOrder[];
  /** Time at which the chunk was queued, by `performance.now()`. */
  queuedMs: number;
}

export class QueueFleet implements Fleet {
  lanes = 0;
  private readonly server: QueueServer;
  private queue: Queue<ChunkData, ChunkResult>;
  private readonly announcement: Announcement;
  private readonly events: FleetEvents;
  private readonly owner: string;
  private readonly chunks = new Map<string, Chunk>();
  private pending: FlightOrder[] = [];
  private flightMs = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private hasNotedNoWorkers = false;
  private isClosed = false;

  private constructor(server: QueueServer, announcement: Announcement, events: FleetEvents) {
    this.server = server;
    this.announcement = announcement;
    this.events = events;
    this.owner = ownerText();
    this.queue = this.makeQueue();
  }

  /**
   * Announces a campaign. Throws a typed error if the server cannot be used, or if another process runs the campaign.
   */
  static async open(url: string, announcement: Announcement, events: FleetEvents): Promise<QueueFleet> {
    let fleet: QueueFleet | undefined;
    const server = await QueueServer.connect(url, {
      onReturn: () => void fleet?.guard(() => fleet!.restore()),
      onGone: (error) => fleet?.fail(error),
      onNote: (text) => events.onNote(text),
    });
    try {
      fleet = new QueueFleet(server, announcement, events);
      await fleet.begin();
      return fleet;
    } catch (error) {
      server.close();
      throw error;
    }
  }

  get depth(): number {
    return this.chunkSize * CHUNKS_PER_LANE * (this.lanes + 1);
  }

  give(orders: readonly FlightOrder[]): void {
    // The coordinator gives flights one by one. Those given in the same turn of the event loop are grouped into chunks.
    if (this.pending.length === 0) setImmediate(() => this.flush());
    // Drop the checkpoint, which is much larger than a job. Workers fly branches from the start of the flight.
    this.pending.push(...orders.map(({ from: _from, ...order }) => order));
  }

  async close(how: "finish" | "now"): Promise<void> {
    this.isClosed = true;
    clearInterval(this.heartbeat);
    // If the server is lost, nothing can be removed: the campaign's keys expire, and the next start removes its jobs.
    const failure = this.server.isLost ? undefined : await within(REMOVE_TIMEOUT_MS, this.removeQueue());
    this.server.close();
    if (how === "finish" && failure !== undefined) throw failure;
  }

  private async begin(): Promise<void> {
    await this.lockCampaign();
    // Delete jobs left by a coordinator that was killed. The caller gives all flights that have no row in the journal.
    await this.queue.obliterate({ force: true });
    this.queue = this.makeQueue();
    await announce(this.server.client, this.queue.name, this.announcement);
    this.lanes = await countLanes(this.server.client, this.queue.name);
    this.heartbeat = setInterval(() => void this.guard(() => this.onHeartbeat()), HEARTBEAT_MS);
    void this.guard(() => this.poll());
  }

  /**
   * Makes this the only coordinator of the campaign. The lock of a coordinator that was killed on this machine is taken
   * over.
   */
  private async lockCampaign(): Promise<void> {
    const { client } = this.server;
    const key = coordinatorKey(this.queue.name);
    for (const untilMs = performance.now() + COORDINATOR_LOCK_MS + 1000; ; await sleep(500)) {
      const other = await client.get(key);
      if (other === null || isGone(other)) {
        if (other !== null) await client.del(key);
        if ((await client.set(key, this.owner, "PX", COORDINATOR_LOCK_MS, "NX")) === "OK") return;
      }
      if (performance.now() > untilMs) throw otherCoordinator(other ?? "another process", this.server.address);
    }
  }

  /** Makes a queue object, which also writes its settings to the server. */
  private makeQueue(): Queue<ChunkData, ChunkResult> {
    const queue: Queue<ChunkData, ChunkResult> = new this.server.bullmq.Queue(
      queueName(this.announcement.campaign.manifest),
      {
        connection: this.server.client,
        prefix: PREFIX,
        skipVersionCheck: true,
        streams: { events: { maxLen: KEPT_EVENTS } },
      },
    );
    queue.on("error", () => {
      // Nothing to do: the failed command rejects with the same error, and QueueServer reports a lost connection.
    });
    return queue;
  }

  private get chunkSize(): number {
    return this.flightMs === 0 ? 1 : Math.max(1, Math.min(MAX_PER_CHUNK, Math.round(CHUNK_MS / this.flightMs)));
  }

  private flush(): void {
    // If few flights are pending (at the end of a plan or of a generation), divide them among all lanes.
    const size = Math.min(this.chunkSize, Math.ceil(this.pending.length / Math.max(1, this.lanes)));
    const chunks: Chunk[] = [];
    for (let i = 0; i < this.pending.length; i += size) chunks.push(chunkOf(this.pending.slice(i, i + size)));
    this.pending = [];
    void this.guard(() => this.enqueue(chunks));
  }

  private async enqueue(chunks: readonly Chunk[]): Promise<void> {
    for (const chunk of chunks) {
      chunk.queuedMs = performance.now();
      this.chunks.set(chunk.id, chunk);
    }
    await this.queue.addBulk(chunks.map(({ id, orders }) => ({ name: "fly", data: { orders }, opts: { jobId: id } })));
  }

  private async poll(): Promise<void> {
    while (!this.isClosed) {
      const [completed, failed] = await Promise.all([
        this.queue.getJobs(["completed"], 0, PAGE - 1, true),
        this.queue.getJobs(["failed"], 0, PAGE - 1, true),
      ]);
      // A job that was removed in between is undefined.
      const jobs = [...completed, ...failed].filter((job) => job !== undefined);
      if (this.isClosed) return;
      for (const job of completed) if (job !== undefined) this.accept(job);
      for (const job of failed) if (job !== undefined) this.divide(job);
      await Promise.all(jobs.map(({ id }) => this.queue.remove(id!)));
      if (jobs.length < PAGE) await sleep(POLL_MS);
    }
  }

  /** Takes the rows of a finished chunk. A flight without a valid row is queued again. */
  private accept({ id, returnvalue }: Job<ChunkData, ChunkResult>): void {
    const chunk = this.removeChunk(id);
    if (chunk === undefined) return;
    const rows = new Map<number, Row>();
    for (const line of returnvalue.rows) {
      const row = rowFrom(decodeLine(line.trimEnd()));
      if (row !== undefined) rows.set(row.k, row);
    }
    if (returnvalue.flightMs > 0) this.flightMs = returnvalue.flightMs;
    for (const order of chunk.orders) {
      const row = rows.get(order.k);
      if (row === undefined) this.give([order]);
      else this.events.onRow(row);
    }
  }

  /**
   * Handles a chunk whose workers crashed repeatedly. Its flights are queued one by one, to find the one that crashes
   * its worker; a chunk of one flight gets a `poisoned` row.
   */
  private divide({ id, failedReason }: Job<ChunkData, ChunkResult>): void {
    const chunk = this.removeChunk(id);
    if (chunk === undefined) return;
    const [first, ...others] = chunk.orders;
    const reason = failedReason.split("\n")[0]!;
    if (others.length === 0) {
      this.events.onNote(`flight ${first!.k}: ${reason}; its row is poisoned`);
      this.events.onRow(withoutFlight(first!.k, "poisoned", "its worker process crashed or was lost every time", []));
      return;
    }
    this.events.onNote(`flights ${first!.k} to ${others.at(-1)!.k}: ${reason}; they are flown one by one`);
    void this.guard(() => this.enqueue(chunk.orders.map((order) => chunkOf([order]))));
  }

  private removeChunk(id: string | undefined): Chunk | undefined {
    const chunk = this.chunks.get(id!);
    this.chunks.delete(id!);
    return chunk;
  }

  private async onHeartbeat(): Promise<void> {
    const { client } = this.server;
    if (this.server.isLost || this.isClosed) return;
    const key = coordinatorKey(this.queue.name);
    const owner = await client.get(key);
    if (owner !== null && owner !== this.owner) throw otherCoordinator(owner, this.server.address);
    await client.set(key, this.owner, "PX", COORDINATOR_LOCK_MS);
    if (!(await renewAnnouncement(client, this.queue.name))) {
      this.events.onNote(`${this.server.address} was emptied; flights without a row are queued again`);
      await this.restore();
    }
    this.lanes = await countLanes(client, this.queue.name);
    if (this.lanes === 0 && !this.hasNotedNoWorkers)
      this.events.onNote(`no workers are connected; start one with: escapement join ${this.server.address}`);
    this.hasNotedNoWorkers = this.lanes === 0;
    // A server that was restarted may have lost its last second of writes. Jobs that still exist are not duplicated.
    const staleMs = performance.now() - 2 * this.announcement.lockMs;
    const stale = [...this.chunks.values()].filter(({ queuedMs }) => queuedMs < staleMs);
    if (stale.length > 0) await this.enqueue(stale);
  }

  /** Announces the campaign and queues every chunk again, after the server may have lost them. */
  private async restore(): Promise<void> {
    if (this.isClosed) return;
    this.queue = this.makeQueue();
    await announce(this.server.client, this.queue.name, this.announcement);
    await this.enqueue([...this.chunks.values()]);
  }

  /** Withdraws the campaign and removes the queue. Returns the failure that a worker reported when it left, if any. */
  private async removeQueue(): Promise<SimError | undefined> {
    const { client } = this.server;
    await withdraw(client, this.queue.name);
    // Workers that still serve the queue would write to it again.
    const untilMs = performance.now() + WORKERS_LEAVE_TIMEOUT_MS;
    while ((await countLanes(client, this.queue.name)) > 0 && performance.now() < untilMs) await sleep(POLL_MS);
    await this.queue.obliterate({ force: true });
    return removeKeys(client, this.queue.name);
  }

  /** Reports any error as the failure of the fleet. */
  private async guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private fail(error: Error): void {
    if (this.isClosed) return;
    this.events.onFailure(
      error instanceof SimError
        ? error
        : campaignErrors.queueServer({
            what: `the queue at ${this.server.address} failed: ${error.message}`,
            fix: "every row so far is in the journal; start the campaign again when the server works",
            cause: error,
          }),
    );
  }
}

/** Makes a chunk. Its job id is derived from the flights, so that queueing it twice has no effect. */
function chunkOf(orders: readonly FlightOrder[]): Chunk {
  const hash = createHash("sha256").update(canonicalJson(orders)).digest("hex").slice(0, 16);
  return { id: `${orders[0]!.k}-${orders.at(-1)!.k}.${hash}`, orders, queuedMs: 0 };
}

function ownerText(): string {
  return `${hostname()} ${process.pid} ${Date.now()}`;
}

/** Whether the coordinator with this lock was a process of this machine that has ended. */
function isGone(owner: string): boolean {
  const [host, pid] = owner.split(" ");
  return host === hostname() && Number(pid) !== process.pid && !isRunning(Number(pid));
}

function otherCoordinator(owner: string, address: string): SimError {
  const [host, pid] = owner.split(" ");
  return campaignErrors.inUse({
    what: `process ${pid} on ${host} already runs this campaign through ${address}`,
    fix: "wait until it has finished; different campaigns can share the server and its workers",
  });
}
