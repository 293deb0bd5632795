/** Runs a real Redis or Valkey server for a test, on a free port of this machine. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** Returns the server's program, or the reason why there is none. */
export function findRedis(): { readonly program: string } | { readonly missing: string } {
  const program = ["valkey-server", "redis-server"].find((name) => spawnSync(name, ["--version"]).status === 0);
  return program === undefined ? { missing: "neither valkey-server nor redis-server is installed" } : { program };
}

export class RedisServer {
  readonly port: number;
  readonly url: string;
  private readonly program: string;
  private readonly options: readonly string[];
  private child: ChildProcess | undefined;

  private constructor(program: string, port: number, options: readonly string[]) {
    this.program = program;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.options = options;
  }

  /** Starts a server, which keeps nothing on disk unless the options say so. */
  static async start(program: string, options: readonly string[] = ["--save", ""]): Promise<RedisServer> {
    const server = new RedisServer(program, await freePort(), options);
    await server.begin();
    return server;
  }

  /** Starts the program, or starts it again on the same port. */
  async begin(): Promise<void> {
    const { port } = this;
    const child = spawn(this.program, ["--port", `${port}`, "--bind", "127.0.0.1", ...this.options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.child = child;
    await new Promise<void>((done, fail) => {
      let out = "";
      child.once("exit", (code) => fail(new Error(`${this.program} exited with ${code}:\n${out}`)));
      child.stdout.on("data", (piece: Buffer) => {
        out += piece.toString();
        if (out.includes("Ready to accept connections")) done();
      });
    });
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Runs a command, e.g. `DBSIZE`. */
  command(...words: readonly string[]): string {
    const program = this.program.replace("-server", "-cli");
    const { stdout, stderr, status } = spawnSync(program, ["-p", `${this.port}`, ...words], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr}`);
    return stdout.trim();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
