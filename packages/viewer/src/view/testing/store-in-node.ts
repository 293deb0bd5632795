/** Makes a store whose engine runs in this process, with the same messages but without a browser. */
import type { FromWorker, ToWorker } from "../protocol.ts";
import { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { Engine } from "../worker/engine.ts";

export function storeInNode(options: { readonly maxRowBytes?: number } = {}): Store {
  return new Store({
    ...options,
    startWorker: () => {
      let deliver: (message: FromWorker) => void = () => {};
      const engine = new Engine({
        post: (message) => deliver(structuredClone(message)),
        clockMs: processorMs,
        defer: (callback) => void setTimeout(callback, 0),
      });
      return {
        post: (message: ToWorker) => engine.receive(structuredClone(message)),
        listen: (onMessage) => void (deliver = onMessage),
        terminate: () => {},
      };
    },
  });
}

/** The processor time of this process, so that a busy machine does not reach the engine's limit for flying ahead. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits until a flight has ended. */
export async function untilFlown(flight: ViewFlight): Promise<void> {
  while (flight.end.peek() === undefined) {
    if (flight.errors.peek().length > 0) throw new Error(flight.errors.peek()[0]!.what);
    await new Promise((later) => setTimeout(later, 5));
  }
}
