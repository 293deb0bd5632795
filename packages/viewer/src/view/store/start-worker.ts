/**
 * Starts the worker from a file on the server, or in a one-file page from the script inside it.
 *
 * Browsers let a page opened from disk load a worker from a blob, but not from a file. The script inside the page is
 * one compressed bundle.
 */
import { PAGE_IDS } from "../page-ids.ts";
import type { FromWorker } from "../protocol.ts";
import { decodeBase64 } from "./base64.ts";
import type { WorkerPort } from "./connection.ts";

export function startWorker(): WorkerPort {
  const started = start();
  return {
    post: (message) => void started.then((worker) => worker.postMessage(message)),
    listen(onMessage, onCrash) {
      started.then(
        (worker) => {
          worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
          worker.addEventListener("error", ({ message }) => onCrash(message));
          worker.addEventListener("messageerror", () => onCrash("a message could not be read"));
        },
        (error: unknown) => onCrash(String(error)),
      );
    },
    terminate: () => void started.then((worker) => worker.terminate()),
  };
}

let inlineAddress: Promise<string> | undefined;

async function start(): Promise<Worker> {
  const inline = document.querySelector(`#${PAGE_IDS.engine}`)?.textContent;
  if (inline === undefined || inline === null) {
    return new Worker(new URL("engine.js", document.baseURI), { type: "module" });
  }
  return new Worker(await (inlineAddress ??= addressOf(inline)));
}

async function addressOf(compressed: string): Promise<string> {
  const script = new Blob([decodeBase64(compressed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return URL.createObjectURL(new Blob([await new Response(script).text()], { type: "text/javascript" }));
}
