/** Runs in a thread: flies the orders that arrive, one after the other, and sends a row for each. */
import { SimError } from "@escapement/core";
import { encodeLine, type Row } from "@escapement/formats";
import type { CampaignFlyer, FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";
import { repeatErrors } from "../spec/errors.ts";
import { type FromThread, plainError, type ToThread } from "./messages.ts";

interface Port {
  on(event: "message", listener: (message: ToThread) => void): unknown;
  postMessage(message: FromThread): void;
}

/**
 * A thread that has flown this many flights flies its first flight again before it ends, to find parts that keep state
 * between flights. With custom parts, two flights are enough.
 */
const REPEAT_AFTER_FLIGHTS = 50;

/**
 * Serves until the thread is ended. `open` loads modules and makes the flyer; its typed errors are sent to the fleet.
 */
export async function serveFlights(
  port: Port,
  open: () => Promise<CampaignFlyer>,
  hasOwnParts: boolean,
): Promise<void> {
  let flyer: CampaignFlyer;
  try {
    flyer = await open();
  } catch (error) {
    // An untyped error is a defect: let it end the thread, so that it is reported.
    if (!(error instanceof SimError)) throw error;
    port.postMessage({ kind: "failed", error: plainError(error) });
    return;
  }
  let first: { readonly order: FlightOrder; readonly row: Row } | undefined;
  let flown = 0;
  const fly = async (order: FlightOrder) => {
    let checkpoints: Checkpoints | undefined;
    const row = await flyer.fly(order, (kept) => (checkpoints = kept));
    first ??= { order, row };
    flown += 1;
    port.postMessage({ kind: "row", row, ...(checkpoints === undefined ? {} : { checkpoints }) });
  };
  const finish = async () => {
    if (first !== undefined && (flown >= REPEAT_AFTER_FLIGHTS || (hasOwnParts && flown >= 2))) {
      const again = await flyer.fly(first.order);
      if (encodeLine(again) !== encodeLine(first.row)) {
        port.postMessage({ kind: "failed", error: plainError(repeatError(first.row, again, flown)) });
        return;
      }
    }
    port.postMessage({ kind: "finished" });
  };
  let last: Promise<void> = Promise.resolve();
  port.on("message", (message) => {
    last = last.then(() => (message.kind === "fly" ? fly(message.order) : finish()));
  });
  port.postMessage({ kind: "ready" });
}

function repeatError(first: Row, again: Row, flown: number): SimError {
  const [was, is] = [first, again].map(
    ({ outcome, fingerprint, endUs }) => `${outcome} at ${endUs / 1e6} s ${fingerprint}`,
  );
  return repeatErrors.differs({
    what: `flight ${first.k} gave a different result when it was flown again after ${flown} flights in the same thread: first ${was}, then ${is}`,
    fix: "a custom part keeps state between flights: store the state in the part's object, not in its module",
  });
}
