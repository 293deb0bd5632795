/** Flies in workerd, the server of Cloudflare's workers: V8 in an isolate that may not generate code at run time. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "flights", worker = (serviceWorkerScript = embed "flights.js", compatibilityDate = "2024-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "flights")]
);
`;

export async function runInWorkerd(executable: string, code: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-workerd-"));
  const answer = `event.respondWith(Response.json(referenceFlights.flyAll("all")))`;
  writeFileSync(join(folder, "flights.js"), `${code}\naddEventListener("fetch", (event) => ${answer});`);
  writeFileSync(join(folder, "config.capnp"), CONFIG);
  const args = ["serve", join(folder, "config.capnp"), "--control-fd=3"];
  const server = spawn(executable, args, { stdio: ["ignore", "inherit", "inherit", "pipe"] });
  try {
    const port = await portOf(server.stdio[3] as Readable);
    const response = await fetch(`http://127.0.0.1:${port}/`);
    if (!response.ok) throw new Error(`workerd answered ${response.status}: ${await response.text()}`);
    return await response.json();
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the port that the server chose, from the events that it writes to the control descriptor. */
async function portOf(events: Readable): Promise<number> {
  for await (const line of createInterface({ input: events })) {
    const { event, port } = JSON.parse(line) as { readonly event: string; readonly port: number };
    if (event === "listen") return port;
  }
  throw new Error("workerd ended before it listened");
}
