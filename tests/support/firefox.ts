/**
 * Drives headless Firefox by WebDriver BiDi (a JSON protocol over a WebSocket): one page in a separate profile.
 *
 * Playwright cannot be used, because it drives only a patched Firefox, and this is the system's.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";

const PLACES = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
/** Keys for which WebDriver uses a character of Unicode's private-use area. */
const KEYS: Readonly<Record<string, string>> = {
  Enter: "\uE007",
  Escape: "\uE00C",
  ArrowRight: "\uE014",
  End: "\uE010",
};

interface Answer {
  readonly id?: number;
  readonly type: "success" | "error" | "event";
  readonly result?: unknown;
  readonly message?: string;
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
}

interface Evaluation {
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

export class Firefox {
  /** Errors in the console. */
  readonly problems: string[] = [];
  private readonly process: ChildProcess;
  private readonly profile: string;
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private lastId = 0;
  private context = "";

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.process = process;
    this.profile = profile;
    this.socket = socket;
    socket.on("message", (data) => this.receive(JSON.parse(String(data)) as Answer));
  }

  /** Starts a browser with an empty page, or returns the reason why there is none. */
  static async launch(): Promise<Firefox | { readonly missing: string }> {
    const executable = process.env["FIREFOX"] ?? PLACES.find((path) => existsSync(path));
    if (executable === undefined) return { missing: "no Firefox is installed; set FIREFOX to the path of one" };
    const profile = mkdtempSync(join(tmpdir(), "escapement-firefox-"));
    const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
    const child = spawn(executable, args, { stdio: ["ignore", "ignore", "pipe"] });
    for await (const line of createInterface(child.stderr)) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) continue;
      // Read and drop the rest of the output, so that the browser does not block on a full pipe.
      child.stderr.resume();
      const socket = new WebSocket(`${address}/session`);
      await once(socket, "open");
      const browser = new Firefox(child, profile, socket);
      await browser.begin();
      return browser;
    }
    throw new Error("Firefox ended before it listened");
  }

  async goto(url: string): Promise<void> {
    await this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  /** Calls a function in the page. Arguments and result are plain data. */
  async evaluate<A extends readonly unknown[], R>(run: (...given: A) => R, ...given: A): Promise<Awaited<R>> {
    // The loader of the tests wraps named functions in calls of `__name`.
    const expression = `(async () => { const __name = (value) => value; return JSON.stringify(await (${run.toString()})(...${JSON.stringify(given)})) ?? "null"; })()`;
    const target = { context: this.context };
    const found = (await this.send("script.evaluate", { expression, target, awaitPromise: true })) as Evaluation;
    if (found.exceptionDetails !== undefined) throw new Error(found.exceptionDetails.text);
    return JSON.parse(found.result!.value!) as Awaited<R>;
  }

  async press(...keys: readonly string[]): Promise<void> {
    const values = keys.map((key) => KEYS[key] ?? key);
    const actions = values.flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.send("input.performActions", {
      context: this.context,
      actions: [{ type: "key", id: "keyboard", actions }],
    });
  }

  /** Clicks at a position in the page. */
  async click(x: number, y: number): Promise<void> {
    const at = { type: "pointerMove", x: Math.round(x), y: Math.round(y) };
    const press = [at, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await this.send("input.performActions", {
      context: this.context,
      actions: [{ type: "pointer", id: "mouse", actions: press }],
    });
  }

  async close(): Promise<void> {
    const ended = once(this.process, "exit");
    this.socket.terminate();
    this.process.kill("SIGKILL");
    await ended;
    rmSync(this.profile, { recursive: true, force: true });
  }

  private async begin(): Promise<void> {
    await this.send("session.new", { capabilities: {} });
    await this.send("session.subscribe", { events: ["log.entryAdded"] });
    const { context } = (await this.send("browsingContext.create", { type: "tab" })) as { readonly context: string };
    this.context = context;
    await this.send("browsingContext.setViewport", { context, viewport: { width: 1280, height: 720 } });
  }

  private send(method: string, params: object): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ type, result, message }) => {
        if (type === "success") resolve(result);
        else reject(new Error(`${method}: ${message}`));
      });
    });
  }

  private receive(answer: Answer): void {
    if (answer.method === "log.entryAdded" && answer.params?.level === "error") {
      this.problems.push(answer.params.text ?? "");
    }
    if (answer.id === undefined) return;
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }
}
