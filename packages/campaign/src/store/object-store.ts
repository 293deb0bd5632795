/**
 * Rows of parts in an object store with the interface of Amazon S3, so that machines without a common disk can fly
 * parts of one campaign. The package aws4fetch, which signs requests, is an optional peer dependency, and is loaded
 * only here.
 *
 * The rows of a part are one object, in a folder named after the identity of the campaign and the hash of the code. The
 * campaign itself is another object, which all parts share. The name of an object ends with the hash of its content,
 * and rows are sorted by number, so writing the same part again writes the same objects.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeLine, type Manifest } from "@escapement/formats";
import { JOURNAL_FILE } from "../rows/journal.ts";
import { JournalRows } from "../rows/journal-rows.ts";
import { CAMPAIGN_FILE } from "../spec/campaign.ts";
import { campaignErrors } from "../spec/errors.ts";

type AwsClient = InstanceType<typeof import("aws4fetch").AwsClient>;
type Environment = Readonly<Record<string, string | undefined>>;

const CODE_DIGITS = 12;
const MAX_TRIES = 5;
const PARTS_FOLDER = "parts";
const ROWS = /\/rows-[0-9]+-of-[0-9]+-[0-9a-f]{64}\.ndjson$/;
const CAMPAIGN = /\/campaign-[0-9a-f]{64}\.json$/;

export class ObjectStore {
  /** As given: `s3://bucket/prefix`. */
  readonly url: string;
  private readonly client: AwsClient;
  /** Address of the bucket, without a slash at its end. */
  private readonly bucketUrl: string;
  /** Empty, or with a slash at its end. */
  private readonly prefix: string;

  private constructor(client: AwsClient, url: string, bucketUrl: string, prefix: string) {
    this.client = client;
    this.url = url;
    this.bucketUrl = bucketUrl;
    this.prefix = prefix;
  }

  /**
   * Reads the keys, the region and, for servers other than Amazon's, the address from the usual environment variables:
   * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
   */
  static async open(url: string, env: Environment = process.env): Promise<ObjectStore> {
    const [, bucket, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{2,62})(?:\/(.*))?$/.exec(url) ?? [];
    if (bucket === undefined) {
      throw campaignErrors.store({
        what: `${url} cannot be used`,
        fix: "write it like s3://bucket/folder; a bucket has 3 to 63 lower-case letters, digits, dots and hyphens",
      });
    }
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (!accessKeyId || !secretAccessKey) {
      throw campaignErrors.store({
        what: `there are no keys for ${url}`,
        fix: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      });
    }
    const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || "us-east-1";
    const endpoint = env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"];
    const { AwsClient: Client } = await loadPackage();
    const sessionToken = env["AWS_SESSION_TOKEN"];
    const client = new Client({
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region,
      retries: MAX_TRIES,
      ...(sessionToken ? { sessionToken } : {}),
    });
    const bucketUrl = endpoint
      ? `${endpoint.replace(/\/$/, "")}/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
    const folder = path.replace(/\/$/, "");
    return new ObjectStore(client, url, bucketUrl, folder === "" ? "" : `${folder}/`);
  }

  /** Writes a part: the text of `campaign.json`, and the rows. Returns the name of the object with the rows. */
  async putPart(journal: string, manifest: Manifest, campaign: string): Promise<string> {
    const lines = [encodeLine(manifest)];
    for (const row of new JournalRows(journal)) lines.push(encodeLine(row));
    const { identity, code, shard = { index: 0, count: 1 } } = manifest;
    const folder = `${this.prefix}${identity.replace("c1:", "")}/${code.slice(0, CODE_DIGITS)}`;
    await this.put(`${folder}/campaign-`, Buffer.from(campaign, "utf8"), ".json");
    const rows = Buffer.from(lines.join(""), "utf8");
    return this.put(`${folder}/rows-${shard.index + 1}-of-${shard.count}-`, rows, ".ndjson");
  }

  /** Copies each part below the address into a separate folder. Returns the folders, for `merge`. */
  async fetchParts(folder: string): Promise<string[]> {
    const keys = await this.list();
    const rows = keys.filter((key) => ROWS.test(key)).sort();
    const groups = new Set(rows.map((key) => key.replace(/\/[^/]*$/, "")));
    if (groups.size !== 1) {
      const names = [...groups].map((group) => `s3://${this.url.split("/")[2]}/${group}`);
      throw campaignErrors.store({
        what:
          groups.size === 0
            ? `there are no parts in ${this.url}`
            : `${this.url} holds parts of several campaigns or builds`,
        fix: groups.size === 0 ? "fly the parts with --shard and --store first" : `give one of: ${names.join(", ")}`,
      });
    }
    const [group] = groups;
    const campaignKey = keys.filter((key) => CAMPAIGN.test(key) && key.startsWith(`${group!}/`)).sort()[0];
    const campaign = campaignKey === undefined ? undefined : await this.get(campaignKey);
    const folders: string[] = [];
    for (const [i, key] of rows.entries()) {
      const part = join(folder, PARTS_FOLDER, String(i + 1));
      mkdirSync(part, { recursive: true });
      writeFileSync(join(part, JOURNAL_FILE), await this.get(key));
      if (campaign !== undefined) writeFileSync(join(part, CAMPAIGN_FILE), campaign);
      folders.push(part);
    }
    return folders;
  }

  /** Writes an object whose name contains the hash of its content. Returns its name. */
  private async put(start: string, body: Buffer<ArrayBuffer>, end: string): Promise<string> {
    const key = `${start}${createHash("sha256").update(body).digest("hex")}${end}`;
    await this.request("PUT", this.address(key), body);
    return key;
  }

  /** Reads an object, and checks that its content has the hash in its name. */
  private async get(key: string): Promise<Buffer> {
    const bytes = Buffer.from(await (await this.request("GET", this.address(key))).arrayBuffer());
    if (key.includes(`-${createHash("sha256").update(bytes).digest("hex")}.`)) return bytes;
    throw campaignErrors.store({
      what: `${key} was changed: its content does not match the hash in its name`,
      fix: "fly that part again",
    });
  }

  private async list(): Promise<string[]> {
    const keys: string[] = [];
    for (let token: string | undefined = ""; token !== undefined;) {
      const query: Record<string, string> = { "list-type": "2", prefix: this.prefix };
      if (token !== "") query["continuation-token"] = token;
      const text = await (
        await this.request("GET", `${this.bucketUrl}/?${new URLSearchParams(query).toString()}`)
      ).text();
      for (const [, key] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) keys.push(unescapeXml(key!));
      const next: string | undefined = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text)?.[1];
      token = next === undefined ? undefined : unescapeXml(next);
    }
    return keys;
  }

  private address(key: string): string {
    return `${this.bucketUrl}/${key.split("/").map(encodeURIComponent).join("/")}`;
  }

  private async request(method: "GET" | "PUT", address: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> {
    let response: Response;
    try {
      response = await this.client.fetch(address, { method, ...(body === undefined ? {} : { body }) });
    } catch (cause) {
      throw campaignErrors.store({
        what: `${this.url} cannot be reached: ${((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message}`,
        fix: "check the address and the network; then run the same command again to continue",
        cause,
      });
    }
    if (response.ok) return response;
    const reason = /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? response.statusText;
    throw campaignErrors.store({
      what: `${this.url} refused ${method}: ${response.status} ${reason}`,
      fix: "check the keys, the region and the permissions to list, read and write below that address",
    });
  }
}

function unescapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!);
}

async function loadPackage(): Promise<typeof import("aws4fetch")> {
  try {
    return await import("aws4fetch");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw campaignErrors.missingPackage({
      what: "an object store needs the package aws4fetch",
      fix: "npm install aws4fetch",
      cause: error,
    });
  }
}
