/**
 * How a coordinator and its workers find each other. A campaign is announced under the name of its queue. The name
 * contains hashes of the flights, their judging and the code that flies them, so programs of different builds never
 * share a queue.
 */
import { canonicalJson, isPlainObject, type SimError } from "@escapement/core";
import { type Manifest, manifestFrom } from "@escapement/formats";
import type { FlightOrder } from "../../fly/one.ts";
import type { Campaign } from "../../spec/campaign.ts";
import { plainError, errorFromPlain } from "../messages.ts";

/**
 * The commands of a Redis client that are used here. The types of ioredis are not used, because the package's
 * declarations would then import ioredis, which not every user has installed.
 */
interface RedisCommands {
  set(key: string, value: string, mode: "EX", seconds: number): Promise<unknown>;
  get(key: string): Promise<string | null>;
  del(...keys: string[]): Promise<number>;
  exists(key: string): Promise<number>;
  expire(key: string, seconds: number): Promise<number>;
  sadd(key: string, member: string): Promise<number>;
  srem(key: string, member: string): Promise<number>;
  smembers(key: string): Promise<string[]>;
  zadd(key: string, score: number, member: string): Promise<unknown>;
  zrem(key: string, member: string): Promise<number>;
  zrangebyscore(key: string, least: number, most: string): Promise<string[]>;
  time(): Promise<readonly (number | string)[]>;
}

/** Prefix of all keys. */
export const PREFIX = "escapement";
/** The set of announced queues. */
const CAMPAIGNS = `${PREFIX}:campaigns`;
const FORMAT = 1;
/** The announcement of a coordinator that was killed disappears after this time. */
const EXPIRY_S = 86_400;
/** Lanes of a worker that has not reported for this long are ignored. */
export const LANES_EXPIRY_S = 5;

export interface Announcement {
  readonly campaign: Campaign;
  /** If a worker has not renewed its lock for this long, its flights are given to other workers. */
  readonly lockMs: number;
}

/** Data of a job. */
export interface ChunkData {
  readonly orders: readonly FlightOrder[];
}

/** What a worker returns for a job. */
export interface ChunkResult {
  /** Lines of a journal. */
  readonly rows: readonly string[];
  /** Wall time of a flight on one lane. */
  readonly flightMs: number;
}

/** Returns the name of a campaign's queue. It has no colon, because BullMQ allows none. */
export function queueName({ identity, judged, code }: Pick<Manifest, "identity" | "judged" | "code">): string {
  return `${identity.replace(":", "-")}-${judged.slice(0, 12)}-${code.slice(0, 12)}`;
}

export function coordinatorKey(queue: string): string {
  return `${PREFIX}:${queue}:coordinator`;
}

function campaignKey(queue: string): string {
  return `${PREFIX}:${queue}:campaign`;
}

function failureKey(queue: string): string {
  return `${PREFIX}:${queue}:failure`;
}

function lanesKey(queue: string): string {
  return `${PREFIX}:${queue}:lanes`;
}

export async function announce(
  client: RedisCommands,
  queue: string,
  { campaign, lockMs }: Announcement,
): Promise<void> {
  await client.set(campaignKey(queue), canonicalJson({ format: FORMAT, lockMs, campaign }), "EX", EXPIRY_S);
  await client.sadd(CAMPAIGNS, queue);
}

/** Renews the expiry of an announcement. Returns false if it does not exist, e.g. because the server was emptied. */
export async function renewAnnouncement(client: RedisCommands, queue: string): Promise<boolean> {
  return (await client.expire(campaignKey(queue), EXPIRY_S)) === 1;
}

/** Ends an announcement: workers leave the campaign. */
export async function withdraw(client: RedisCommands, queue: string): Promise<void> {
  await client.srem(CAMPAIGNS, queue);
  await client.del(campaignKey(queue));
}

/** Reports that a worker's first flight gave a different result when it was flown again. */
export async function reportFailure(client: RedisCommands, queue: string, error: SimError): Promise<void> {
  await client.set(failureKey(queue), JSON.stringify(plainError(error)), "EX", EXPIRY_S);
}

/** Removes the remaining keys after the workers have left. Returns the failure that a worker reported. */
export async function removeKeys(client: RedisCommands, queue: string): Promise<SimError | undefined> {
  const failure = await client.get(failureKey(queue));
  await client.del(lanesKey(queue), coordinatorKey(queue), failureKey(queue));
  return failure === null ? undefined : errorFromPlain(JSON.parse(failure));
}

/** Returns the sorted names of the announced queues, and removes names whose announcement has expired. */
export async function announcedQueues(client: RedisCommands): Promise<string[]> {
  const queues: string[] = [];
  for (const queue of (await client.smembers(CAMPAIGNS)).sort()) {
    if (await isAnnounced(client, queue)) queues.push(queue);
    else await client.srem(CAMPAIGNS, queue);
  }
  return queues;
}

export async function isAnnounced(client: RedisCommands, queue: string): Promise<boolean> {
  return (await client.exists(campaignKey(queue))) === 1;
}

/** Reads an announcement. Returns undefined if it does not exist, or if its format is unknown. */
export async function readAnnouncement(client: RedisCommands, queue: string): Promise<Announcement | undefined> {
  const text = await client.get(campaignKey(queue));
  const given: unknown = text === null ? undefined : JSON.parse(text);
  if (!isPlainObject(given) || given["format"] !== FORMAT || !isPlainObject(given["campaign"])) return undefined;
  const manifest = manifestFrom(given["campaign"]["manifest"]);
  if (typeof manifest !== "object" || queueName(manifest) !== queue) return undefined;
  return { campaign: given["campaign"] as unknown as Campaign, lockMs: Number(given["lockMs"]) };
}

/** A worker and the flights that it flies at the same time. */
export interface WorkerLanes {
  /** Name of the worker, without spaces. */
  readonly worker: string;
  readonly lanes: number;
}

/** Reports to the coordinator that a worker is connected. Stores the time of the report by the server's clock. */
export async function reportLanes(client: RedisCommands, queue: string, { worker, lanes }: WorkerLanes): Promise<void> {
  const key = lanesKey(queue);
  await client.zadd(key, await serverTimeS(client), `${worker} ${lanes}`);
  await client.expire(key, LANES_EXPIRY_S);
}

export async function withdrawLanes(
  client: RedisCommands,
  queue: string,
  { worker, lanes }: WorkerLanes,
): Promise<void> {
  await client.zrem(lanesKey(queue), `${worker} ${lanes}`);
}

/** Returns the number of lanes of all workers that reported within `LANES_EXPIRY_S`. */
export async function countLanes(client: RedisCommands, queue: string): Promise<number> {
  const workers = await client.zrangebyscore(lanesKey(queue), (await serverTimeS(client)) - LANES_EXPIRY_S, "+inf");
  return workers.reduce((sum, worker) => sum + Number(worker.split(" ")[1]), 0);
}

async function serverTimeS(client: RedisCommands): Promise<number> {
  return Number((await client.time())[0]);
}
