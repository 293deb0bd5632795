/**
 * Starts the worker: from the file beside the page, or, in a page that is one file, from the script inside it.
 *
 * A page opened from a disk may not load a worker from a file, but from an address of its own memory.
 */
import type { FromWorker } from "../protocol.ts";
import type { WorkerPort } from "./connection.ts";

/** The element that holds the worker's script in a page that is one file. */
const INLINE = "engine";

export function startWorker(): WorkerPort {
  const worker = new Worker(workerAddress());
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onCrash) {
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
      worker.addEventListener("error", ({ message }) => onCrash(message));
      worker.addEventListener("messageerror", () => onCrash("a message could not be read"));
    },
    terminate: () => worker.terminate(),
  };
}

let inlineAddress: string | undefined;

function workerAddress(): string {
  const inline = document.querySelector(`#${INLINE}`)?.textContent;
  if (inline === undefined || inline === null) return new URL("engine.js", document.baseURI).href;
  inlineAddress ??= URL.createObjectURL(new Blob([inline], { type: "text/javascript" }));
  return inlineAddress;
}
