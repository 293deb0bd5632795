/** Entry point of the worker: connects the engine to the worker's messages. */
import type { FromWorker, ToWorker } from "../protocol.ts";
import { Engine } from "./engine.ts";

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  postMessage(message: FromWorker): void;
}

const scope = globalThis as unknown as WorkerScope;

// A message to the worker itself arrives after pending messages, without the delay that browsers add to timers.
const channel = new MessageChannel();
let deferred: (() => void) | undefined;
channel.port2.addEventListener("message", () => {
  const callback = deferred;
  deferred = undefined;
  callback?.();
});
channel.port2.start();

const engine = new Engine({
  post: (message) => scope.postMessage(message),
  clockMs: () => performance.now(),
  defer(callback) {
    deferred = callback;
    channel.port1.postMessage(undefined);
  },
});

scope.addEventListener("message", ({ data }) => engine.receive(data));
