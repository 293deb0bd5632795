/**
 * A small object store with the interface of Amazon S3: signed PUT, GET and lists in pages. It computes the signature
 * of every request by Amazon's published algorithm (Signature Version 4) and rejects requests with a different one.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Keys per page of a list. */
const PAGE = 2;

interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The signed headers, by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  readonly time: string;
  readonly region: string;
  readonly service: string;
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export function signature(request: SignedRequest, secret: string): string {
  const { method, path, query, headers, payloadHash, time, region, service } = request;
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    path,
    [...query]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${headers[name]!.trim()}`),
    "",
    names.join(";"),
    payloadHash,
  ].join("\n");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce((k: Buffer, part) => hmac(k, part), hmac(`AWS4${secret}`, day));
  return createHmac("sha256", key).update(toSign).digest("hex");
}

export class S3Server {
  readonly objects = new Map<string, Buffer>();
  puts = 0;
  private readonly server: Server;
  private readonly secret: string;

  private constructor(secret: string) {
    this.secret = secret;
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ status, body }) => response.writeHead(status).end(body));
    });
  }

  static async start(secret: string): Promise<S3Server> {
    const store = new S3Server(secret);
    await new Promise<void>((done) => store.server.listen(0, "127.0.0.1", done));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: string | Buffer }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url!, this.url);
    if (!this.isSigned(request, url)) return { status: 403, body: "<Error><Code>SignatureDoesNotMatch</Code></Error>" };
    const [, , ...parts] = url.pathname.split("/");
    const key = decodeURIComponent(parts.join("/"));
    if (request.method === "PUT") {
      this.objects.set(key, Buffer.concat(chunks));
      this.puts += 1;
      return { status: 200, body: "" };
    }
    if (url.searchParams.get("list-type") === "2") return { status: 200, body: this.list(url.searchParams) };
    const body = this.objects.get(key);
    return body === undefined ? { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" } : { status: 200, body };
  }

  private isSigned({ headers, method }: IncomingMessage, { pathname, searchParams }: URL): boolean {
    const [, , , region, service, names, given] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? "",
      ) ?? [];
    if (names === undefined) return false;
    const signed = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name])]));
    const time = String(headers["x-amz-date"]);
    const payloadHash = String(headers["x-amz-content-sha256"]);
    const request = { method: method!, path: pathname, query: searchParams, headers: signed, payloadHash, time };
    return signature({ ...request, region: region!, service: service! }, this.secret) === given;
  }

  private list(query: URLSearchParams): string {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).sort();
    const from = Number(query.get("continuation-token") ?? 0);
    const page = keys
      .slice(from, from + PAGE)
      .map((key) => `<Contents><Key>${key.replaceAll("&", "&amp;")}</Key></Contents>`);
    const next = from + PAGE < keys.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : "";
    return `<ListBucketResult>${page.join("")}${next}</ListBucketResult>`;
  }
}
