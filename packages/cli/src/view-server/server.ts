/**
 * Serves the viewer's scripts, and the files named on the command line, to this machine only.
 *
 * The server never opens a path taken from a request: a request names one of the scripts found at start-up, or gives
 * the index of a file. Everything but the scripts requires a random token, which only the printed address contains. The
 * headers `Host` and `Origin` are checked, so that another site cannot reach the server through a name that resolves to
 * this machine.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync, watch } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isPath, type Registry, type SimError } from "@escapement/core";
import { SERVED_POLICY, viewErrors } from "@escapement/viewer";
import { type WebSocket, WebSocketServer } from "ws";
import { writeWhole } from "../outputs/files.ts";
import { bundleFlight, isDescription } from "./bundle.ts";
import type { LiveHub } from "./live-hub.ts";

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 1_048_576;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};
const HEADERS = {
  "Content-Security-Policy": SERVED_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const;
/** The page is notified once a changed file has stayed unchanged for this long, because changes come in bursts. */
const DEBOUNCE_MS = 150;

interface ViewServerOptions {
  /** The folder with the page's scripts. */
  readonly folder: string;
  /** Built-in flights, descriptions, recordings and logs. */
  readonly names: readonly string[];
  readonly registry: Registry;
  readonly port: number;
  readonly isReadOnly: boolean;
  /** The flight that the command flies, if it flies one. */
  readonly live?: LiveHub;
}

export class ViewServer {
  readonly url: string;
  private readonly server: Server;
  private readonly closers: (() => void)[];

  private constructor(url: string, server: Server, closers: (() => void)[]) {
    this.url = url;
    this.server = server;
    this.closers = closers;
  }

  static async start(options: ViewServerOptions): Promise<ViewServer> {
    const token = randomBytes(18).toString("base64url");
    const handler = new Handler(options, token);
    const server = createServer((request, response) => void handler.answer(request, response));
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_BODY_BYTES,
      handleProtocols: (protocols) => (protocols.has(`escapement.${token}`) ? `escapement.${token}` : false),
    });
    const changes = new Set<WebSocket>();
    server.on("upgrade", (request, socket, head) => {
      const isLive = request.url === "/live" && options.live !== undefined;
      const isKnown = isLive || request.url === "/changes";
      if (!isKnown || !handler.isFromHere(request) || !isAllowed(request, token)) socket.destroy();
      else
        sockets.handleUpgrade(request, socket, head, (page) => {
          if (isLive) return options.live!.join(page);
          changes.add(page);
          page.on("close", () => changes.delete(page));
        });
    });
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(options.port, HOST, listening);
    });
    handler.port = (server.address() as AddressInfo).port;
    const stops = watchFiles(options.names, (index) => {
      for (const client of changes) client.send(JSON.stringify({ changed: index }));
    });
    const url = `http://${HOST}:${handler.port}/#k=${token}`;
    const end = () => {
      for (const client of sockets.clients) client.terminate();
    };
    return new ViewServer(url, server, [...stops, end]);
  }

  async close(): Promise<void> {
    for (const close of this.closers) close();
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

/**
 * Checks the token of a WebSocket. The page sends it as a WebSocket subprotocol, because a browser cannot add headers
 * to a WebSocket request.
 */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const offered = headers["sec-websocket-protocol"]?.split(",").map((each) => each.trim()) ?? [];
  return offered.some((each) => isSame(each, `escapement.${token}`));
}

/** Watches the folders of the files, because the watcher of a file stops when the file is replaced. */
function watchFiles(names: readonly string[], onChange: (index: number) => void): (() => void)[] {
  return [...names.entries()].flatMap(([index, name]) => {
    if (!isPath(name)) return [];
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(dirname(resolve(name)), (_, changed) => {
      if (changed !== basename(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => onChange(index), DEBOUNCE_MS);
    });
    // If a folder is removed, its watcher ends, and the page keeps the last contents.
    watcher.on("error", () => {});
    return [
      () => {
        clearTimeout(timer);
        watcher.close();
      },
    ];
  });
}

class Handler {
  port = 0;
  private readonly options: ViewServerOptions;
  private readonly token: string;
  private readonly assets: ReadonlySet<string>;

  constructor(options: ViewServerOptions, token: string) {
    this.options = options;
    this.token = token;
    this.assets = new Set(readdirSync(options.folder).filter((name) => TYPES[extname(name)] !== undefined));
  }

  /** Returns true if a request names this server as host and does not come from a page of another site. */
  isFromHere({ headers }: IncomingMessage): boolean {
    const hosts = [`${HOST}:${this.port}`, `localhost:${this.port}`];
    const { host = "", origin } = headers;
    return hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.tryAnswer(request, response);
    } catch (error) {
      send(response, 500, "text/plain; charset=utf-8", error instanceof Error ? error.message : String(error));
    }
  }

  private async tryAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isFromHere(request)) return send(response, 403, "text/plain", "this page is served to this machine only");
    const path = (request.url ?? "/").split("?")[0]!;
    const asset = path === "/" ? "index.html" : path.slice(1);
    if (request.method === "GET" && this.assets.has(asset)) {
      return send(response, 200, TYPES[extname(asset)]!, readFileSync(join(this.options.folder, asset)));
    }
    if (!isSame(String(request.headers["x-escapement-token"] ?? ""), this.token)) {
      return send(response, 404, "text/plain", "not found");
    }
    if (path === "/session" && request.method === "GET") return this.session(response);
    const index = Number(/^\/files\/(\d{1,3})$/.exec(path)?.[1] ?? Number.NaN);
    const name = this.options.names[index];
    if (name === undefined) return send(response, 404, "text/plain", "not found");
    if (request.method === "GET") return this.file(response, name);
    if (request.method === "PUT") return this.write(request, response, name);
    send(response, 405, "text/plain", "not allowed");
  }

  private session(response: ServerResponse): void {
    const files = this.options.names.map((name) => ({
      name: basename(name),
      isDescription: isDescription(name),
      isWritable: this.isWritable(name),
    }));
    const { live } = this.options;
    sendJson(response, 200, { files, ...(live === undefined ? {} : { live: live.name }) });
  }

  private isWritable(name: string): boolean {
    return !this.options.isReadOnly && /\.(?:toml|json)$/i.test(name);
  }

  private file(response: ServerResponse, name: string): void {
    if (!isDescription(name)) return send(response, 200, "application/octet-stream", readFileSync(name));
    const flight = bundleFlight(name, this.options.registry);
    sendJson(response, 200, { ...flight, hash: hashOf(flight.text) });
  }

  /** Writes a description, unless it changed on the disk since the page read it. */
  private async write(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const file = basename(name);
    if (!this.isWritable(name)) {
      const what = `${file} is read-only here`;
      return sendError(response, 403, viewErrors.readOnly({ what, fix: "save the text to a different file" }));
    }
    const body = await bodyOf(request);
    if (body === undefined) {
      const what = `the text of ${file} is longer than ${MAX_BODY_BYTES} bytes`;
      return sendError(response, 413, viewErrors.textTooLong({ what, fix: "save the text to a different file" }));
    }
    if (hashOf(readFileSync(name, "utf8")) !== request.headers["if-match"]) {
      const fix = "save this text to a different file, or reload the page to see the new text";
      const what = `${file} has changed on the disk since the page read it`;
      return sendError(response, 409, viewErrors.fileChanged({ what, where: { file }, fix }));
    }
    writeWhole(name, body, true);
    sendJson(response, 200, { hash: hashOf(body) });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Sends a typed error, which the page shows. */
function sendError(response: ServerResponse, status: number, { code, what, fix, where }: SimError): void {
  sendJson(response, status, { code, what, fix, where });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": type });
  response.end(body);
}
