/**
 * Parts of a campaign in an object store: a part that is written twice is stored once, and reading it returns the same
 * rows and the campaign.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "@escapement/formats";
import { exampleManifest, exampleRow } from "../../../../tests/support/campaign-rows.ts";
import { S3Server, signature } from "../../../../tests/support/s3-server.ts";
import { Journal, JOURNAL_FILE } from "../rows/journal.ts";
import { JournalRows } from "../rows/journal-rows.ts";
import { CAMPAIGN_FILE } from "../spec/campaign.ts";
import { mergeJournals } from "./merge.ts";
import { ObjectStore } from "./object-store.ts";

const FLIGHTS = 30;
const PARTS = 3;
/** The text of `campaign.json`; the store does not read it. */
const CAMPAIGN = '{"campaign":{}}\n';
const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const manifest: Manifest = { ...exampleManifest, identity: "c1:0123456789abcdef", flights: FLIGHTS };

let server: S3Server;
let folder: string;
const env = (secret = SECRET) => ({
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_REGION: "eu-central-1",
  AWS_ENDPOINT_URL: server.url,
});

beforeAll(async () => {
  server = await S3Server.start(SECRET);
  folder = mkdtempSync(join(tmpdir(), "escapement-store-"));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Returns the journal of a part, with its rows in the given order. */
function part(name: string, index: number, numbers: readonly number[], changes: Partial<Manifest> = {}) {
  const path = join(folder, name);
  mkdirSync(path);
  const partManifest = { ...manifest, ...changes, shard: { index, count: PARTS } };
  const journal = Journal.open(join(path, JOURNAL_FILE), { manifest: partManifest, fresh: false, onRow: () => {} });
  for (const k of numbers) journal.append(exampleRow(k));
  journal.close();
  return { journal: join(path, JOURNAL_FILE), manifest: partManifest };
}

const numbersOf = (index: number) => Array.from({ length: FLIGHTS / PARTS }, (_, i) => PARTS * i + index);

describe("an object store", () => {
  it("gets the signature that Amazon published for the example get-vanilla", () => {
    const found = signature(
      {
        method: "GET",
        path: "/",
        query: new URLSearchParams(),
        headers: { host: "example.amazonaws.com", "x-amz-date": "20150830T123600Z" },
        payloadHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        time: "20150830T123600Z",
        region: "us-east-1",
        service: "service",
      },
      SECRET,
    );
    expect(found).toBe("5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  });

  it("has one object per part and one for the campaign, even if they are written twice or in another order", async () => {
    const store = await ObjectStore.open("s3://flights/gusts", env());
    for (const index of [0, 1, 2]) {
      const forward = part(`forward-${index}`, index, numbersOf(index));
      const backward = part(`backward-${index}`, index, numbersOf(index).reverse());
      const key = await store.putPart(forward.journal, forward.manifest, CAMPAIGN);
      expect(key).toMatch(/^gusts\/0123456789abcdef\/[0-9a-f]{12}\/rows-[123]-of-3-[0-9a-f]{64}\.ndjson$/);
      expect(await store.putPart(backward.journal, backward.manifest, CAMPAIGN)).toBe(key);
    }
    expect([server.puts, server.objects.size]).toEqual([12, 4]);
  });

  it("returns the parts, even if their list has several pages", async () => {
    const store = await ObjectStore.open("s3://flights/gusts/", env());
    const parts = await store.fetchParts(join(folder, "merged"));
    const { journal, rows, missingCount } = mergeJournals(parts, join(folder, "merged"));
    expect([rows, missingCount]).toEqual([FLIGHTS, 0]);
    expect([...new JournalRows(journal)]).toEqual(Array.from({ length: FLIGHTS }, (_, k) => exampleRow(k)));
    for (const path of parts) expect(readFileSync(join(path, CAMPAIGN_FILE), "utf8")).toBe(CAMPAIGN);
  });

  it("returns parts that were stored without their campaign", async () => {
    const store = await ObjectStore.open("s3://flights/older", env());
    const { journal, manifest: partManifest } = part("older", 0, numbersOf(0));
    await store.putPart(journal, partManifest, CAMPAIGN);
    const [campaign] = [...server.objects.keys()].filter((key) => /older\/.*\/campaign-/.test(key));
    server.objects.delete(campaign!);
    const [only] = await store.fetchParts(join(folder, "older-merged"));
    expect(readdirSync(only!)).toEqual([JOURNAL_FILE]);
  });

  it("rejects a part whose content was changed, and parts of several builds", async () => {
    const store = await ObjectStore.open("s3://flights/gusts", env());
    const keys = [...server.objects.keys()].filter((key) => key.startsWith("gusts/"));
    expect(keys).toHaveLength(4);
    for (const key of keys) {
      const kept = server.objects.get(key)!;
      server.objects.set(key, Buffer.concat([kept, Buffer.from("\n")]));
      await expect(store.fetchParts(join(folder, "changed"))).rejects.toThrow(/CAMPAIGN-016.*content/s);
      server.objects.set(key, kept);
    }
    const other = part("other", 0, numbersOf(0), { code: "ff".repeat(32) });
    await store.putPart(other.journal, other.manifest, CAMPAIGN);
    await expect(store.fetchParts(join(folder, "mixed"))).rejects.toThrow(/CAMPAIGN-016.*several.*ffffffffffff/s);
  });

  it("reports errors in its address, its keys and its answers", async () => {
    await expect(ObjectStore.open("s3:/flights", env())).rejects.toThrow(/CAMPAIGN-016.*s3:\/\/bucket/s);
    await expect(ObjectStore.open("s3://flights", {})).rejects.toThrow(/CAMPAIGN-016.*AWS_ACCESS_KEY_ID/s);
    const wrong = await ObjectStore.open("s3://flights/gusts", env("another"));
    await expect(wrong.fetchParts(folder)).rejects.toThrow(/CAMPAIGN-016.*403 SignatureDoesNotMatch/s);
    const empty = await ObjectStore.open("s3://flights/nothing", env());
    await expect(empty.fetchParts(folder)).rejects.toThrow(/CAMPAIGN-016.*no parts/s);
  });
});
