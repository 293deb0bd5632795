/**
 * Runs in a worker: finds campaigns that this program can fly, and flies their chunks on the local fleet.
 *
 * Flights never run on the event loop, so that it can always renew the locks of jobs. A worker that leaves puts its
 * chunks back into the queue; the chunks of a killed worker return to the queue when their locks expire.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import type { SimError } from "@escapement/core";
import { encodeLine, type Manifest, type Row } from "@escapement/formats";
import type { FlightOrder } from "../../fly/one.ts";
import type { Campaign } from "../../spec/campaign.ts";
import { campaignErrors } from "../../spec/errors.ts";
import type { FleetEvents, LocalFleet } from "../contracts.ts";
import {
  type Announcement,
  announcedQueues,
  type ChunkData,
  type ChunkResult,
  isAnnounced,
  PREFIX,
  readAnnouncement,
  reportFailure,
  reportLanes,
  withdrawLanes,
  type WorkerLanes,
} from "./announcement.ts";
import { QueueServer } from "./server.ts";
import { sleep, within } from "./waiting.ts";

const POLL_MS = 1000;
/** After this many polls without a chunk, the worker may serve another campaign. */
const IDLE_POLLS = 3;
/** The coordinator divides a chunk whose workers were lost more often than this. */
const MAX_STALLS = 3;
/** Time limit for putting chunks back when the worker leaves. */
const CLOSE_TIMEOUT_MS = 5000;

interface JoinOptions {
  /** Returns the hash of the code with which this worker would fly a campaign, 64 hex digits. */
  readonly codeOf: (campaign: Campaign) => string;
  readonly openFleet: (campaign: Campaign, events: FleetEvents) => Promise<LocalFleet>;
  /** Ends the worker. */
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
  /** Called for a campaign that this worker cannot fly, because the coordinator runs another build. */
  readonly onOtherBuild: (error: SimError) => void;
  /** Called when the worker starts or stops serving a campaign; `flown` is undefined at the start. */
  readonly onCampaign: (manifest: Manifest, flown: number | undefined) => void;
}

/** Serves campaigns until the signal aborts. Throws if the server is gone or a local thread cannot fly. */
export async function joinQueue(url: string, options: JoinOptions): Promise<void> {
  const serverGone = new AbortController();
  const server = await QueueServer.connect(url, {
    onGone: (error) => serverGone.abort(error),
    onNote: options.onNote,
  });
  options.onNote(`joined ${server.address}`);
  const signal = AbortSignal.any([options.signal, serverGone.signal]);
  try {
    await new QueueWorker(server, { ...options, signal }).run();
    serverGone.signal.throwIfAborted();
  } finally {
    server.close();
  }
}

class QueueWorker {
  private readonly server: QueueServer;
  private readonly options: JoinOptions;
  /** Queues of campaigns that this build cannot fly. */
  private readonly otherBuilds = new Set<string>();

  constructor(server: QueueServer, options: JoinOptions) {
    this.server = server;
    this.options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    const aborted = new Promise<undefined>((done) => signal.addEventListener("abort", () => done(undefined)));
    let last = "";
    while (!signal.aborted) {
      const next = await Promise.race([this.nextQueue(last), aborted]);
      if (signal.aborted) return;
      if (next === undefined) {
        await Promise.race([sleep(POLL_MS), aborted]);
        continue;
      }
      last = next.queue;
      await this.serve(next.queue, next.announcement);
    }
  }

  /** Returns the next announced queue after `last` that this program can fly and that has work. */
  private async nextQueue(last: string): Promise<{ queue: string; announcement: Announcement } | undefined> {
    const names = await announcedQueues(this.server.client);
    const namesInTurn = [...names.filter((name) => name > last), ...names.filter((name) => name <= last)];
    for (const queue of namesInTurn) {
      if (this.otherBuilds.has(queue)) continue;
      const announcement = await readAnnouncement(this.server.client, queue);
      if (announcement === undefined) continue;
      if (!this.canFly(queue, announcement.campaign)) continue;
      if (await this.hasWork(queue)) return { queue, announcement };
    }
    return undefined;
  }

  private canFly(queue: string, campaign: Campaign): boolean {
    const { name, code } = campaign.manifest;
    const own = this.options.codeOf(campaign);
    if (own === code) return true;
    this.otherBuilds.add(queue);
    this.options.onOtherBuild(
      campaignErrors.otherBuild({
        what: `the campaign "${name}" is flown with build ${code.slice(0, 12)}, but this program is build ${own.slice(0, 12)}; other workers must fly it`,
        fix: "install the build of the coordinator here, and join with the same modules (--with) and the same PX4",
      }),
    );
    return false;
  }

  private async hasWork(queue: string): Promise<boolean> {
    const { Queue } = this.server.bullmq;
    const probe = new Queue(queue, {
      connection: this.server.client,
      prefix: PREFIX,
      skipVersionCheck: true,
      skipMetasUpdate: true,
    });
    probe.on("error", () => {});
    // Chunks of a killed worker stay active until their locks expire, which only another worker of the queue detects.
    const { waiting = 0, active = 0 } = await probe.getJobCounts("waiting", "active");
    await probe.close();
    return waiting + active > 0;
  }

  /** Serves one campaign until it is over, or until it has no work and another campaign does. */
  private async serve(queue: string, announcement: Announcement): Promise<void> {
    const { options, server } = this;
    const { manifest } = announcement.campaign;
    options.onCampaign(manifest, undefined);
    const service = await CampaignService.open(server, queue, announcement, options);
    let how: "finish" | "now" = "now";
    try {
      let idle = 0;
      while (!service.isOver(options.signal)) {
        await service.reportAndWait();
        if (server.isLost || options.signal.aborted) continue;
        if (!(await isAnnounced(server.client, queue))) {
          how = "finish";
          break;
        }
        idle = service.isIdle ? idle + 1 : 0;
        if (idle >= IDLE_POLLS && (await this.nextQueue(queue))?.queue !== queue) break;
      }
    } finally {
      await service.close(how);
      options.onCampaign(manifest, service.flown);
    }
  }
}

/** A chunk that is being flown. */
interface ChunkInFlight {
  readonly missing: Set<number>;
  readonly rows: Row[];
  readonly done: () => void;
  readonly leave: (reason: unknown) => void;
}

const LEFT = Symbol("the worker leaves");

/** The worker of one campaign: a BullMQ worker for the chunks, and a local fleet for their flights. */
class CampaignService {
  flown = 0;
  private readonly server: QueueServer;
  private readonly queue: string;
  private readonly fleet: LocalFleet;
  private readonly worker: Worker<ChunkData, ChunkResult>;
  private readonly lanes: WorkerLanes;
  private readonly flying = new Set<ChunkInFlight>();
  private failure: SimError | undefined;
  private wake: () => void = () => {};

  private constructor(
    server: QueueServer,
    queue: string,
    { lockMs }: Announcement,
    fleet: LocalFleet,
    onNote: (text: string) => void,
  ) {
    this.server = server;
    this.queue = queue;
    this.fleet = fleet;
    this.lanes = { worker: `${hostname()}-${randomUUID()}`, lanes: fleet.lanes };
    this.worker = new server.bullmq.Worker(queue, (job, token) => this.fly(job, token!), {
      connection: server.client,
      prefix: PREFIX,
      skipVersionCheck: true,
      // One more chunk than lanes, so that no lane waits for the server.
      concurrency: fleet.lanes + 1,
      lockDuration: lockMs,
      // The server accepts only whole milliseconds. With a fraction, lost chunks would never return to the queue.
      stalledInterval: Math.max(1000, Math.round(lockMs / 3)),
      maxStalledCount: MAX_STALLS,
    });
    const reported = new Set<string>();
    this.worker.on("error", ({ message }) => {
      // While the connection is lost every command fails; `QueueServer` reports that once.
      if (server.isLost || reported.has(message)) return;
      reported.add(message);
      onNote(`the queue reports: ${message}`);
    });
  }

  static async open(
    server: QueueServer,
    queue: string,
    announcement: Announcement,
    { openFleet, onNote, signal }: JoinOptions,
  ): Promise<CampaignService> {
    let service: CampaignService | undefined;
    const fleet = await openFleet(announcement.campaign, {
      onRow: (row) => service!.accept(row),
      onNote,
      onFailure: (error) => service!.fail(error),
    });
    service = new CampaignService(server, queue, announcement, fleet, onNote);
    signal.addEventListener("abort", () => service!.wake(), { once: true });
    return service;
  }

  get isIdle(): boolean {
    return this.flying.size === 0;
  }

  isOver(signal: AbortSignal): boolean {
    return this.failure !== undefined || signal.aborted;
  }

  /** Reports that the worker is still running, and waits a moment. */
  async reportAndWait(): Promise<void> {
    const woken = new Promise<void>((done) => (this.wake = done));
    if (!this.server.isLost) await Promise.race([reportLanes(this.server.client, this.queue, this.lanes), woken]);
    await Promise.race([sleep(POLL_MS), woken]);
  }

  /** Returns unfinished chunks to the queue and closes the local fleet. Throws if a local thread failed. */
  async close(how: "finish" | "now"): Promise<void> {
    const closed = this.worker.close();
    for (const { leave } of this.flying) leave(LEFT);
    await within(CLOSE_TIMEOUT_MS, closed);
    await within(CLOSE_TIMEOUT_MS, this.worker.close(true));
    let repeatError: SimError | undefined;
    try {
      await this.fleet.close(how);
    } catch (error) {
      repeatError = error as SimError;
    }
    if (!this.server.isLost) await within(CLOSE_TIMEOUT_MS, this.reportLeaving(repeatError));
    const failure = repeatError ?? this.failure;
    if (failure !== undefined) throw failure;
  }

  private async reportLeaving(repeatError: SimError | undefined): Promise<void> {
    if (repeatError !== undefined) await reportFailure(this.server.client, this.queue, repeatError);
    await withdrawLanes(this.server.client, this.queue, this.lanes);
  }

  private async fly(job: Job<ChunkData, ChunkResult>, token: string): Promise<ChunkResult> {
    try {
      const rows = await this.flyChunk(job.data.orders);
      this.flown += rows.length;
      return { rows: rows.map(encodeLine), flightMs: this.fleet.flightMs };
    } catch (error) {
      if (error !== LEFT) throw error;
      await job.moveToWait(token);
      throw new this.server.bullmq.WaitingError();
    }
  }

  private async flyChunk(orders: readonly FlightOrder[]): Promise<Row[]> {
    let flying: ChunkInFlight | undefined;
    try {
      return await new Promise<Row[]>((done, leave) => {
        const rows: Row[] = [];
        flying = { missing: new Set(orders.map(({ k }) => k)), rows, done: () => done(rows), leave };
        this.flying.add(flying);
        this.fleet.give(orders);
      });
    } finally {
      this.flying.delete(flying!);
    }
  }

  private accept(row: Row): void {
    for (const flying of this.flying) {
      if (!flying.missing.delete(row.k)) continue;
      flying.rows.push(row);
      if (flying.missing.size === 0) flying.done();
    }
  }

  private fail(error: SimError): void {
    this.failure ??= error;
    this.wake();
  }
}
