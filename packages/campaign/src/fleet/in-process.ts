/**
 * Flies flights whose autopilot runs in a separate process. The coordinator's process supervises those processes, so no
 * threads are needed.
 *
 * If the process of a flight is lost, the flight is flown once more. If the second process is lost too, the outcome of
 * the row is `poisoned`. `close` ends the flights in progress and waits until their processes have ended.
 */
import { SimError } from "@escapement/core";
import type { Row } from "@escapement/formats";
import { type CampaignFlyer, type FlightOrder, withoutFlight } from "../fly/one.ts";
import { DEFAULT_LIMITS, type FleetEvents, type LocalFleet } from "./contracts.ts";
import { Pace } from "./pace.ts";

export class InProcessFleet implements LocalFleet {
  readonly lanes: number;
  private readonly flyer: CampaignFlyer;
  private readonly events: FleetEvents;
  /** Its signal ends the flights in progress. */
  private readonly stop: AbortController;
  private readonly pace = new Pace(DEFAULT_LIMITS);
  private readonly waiting: FlightOrder[] = [];
  private readonly flying = new Set<Promise<void>>();
  private isClosed = false;

  /** @param stop the functions of `flyer` that fly have its signal */
  constructor(flyer: CampaignFlyer, lanes: number, events: FleetEvents, stop: AbortController) {
    this.flyer = flyer;
    this.lanes = lanes;
    this.events = events;
    this.stop = stop;
  }

  get depth(): number {
    return 2 * this.lanes;
  }

  get flightMs(): number {
    return this.pace.medianMs;
  }

  give(orders: readonly FlightOrder[]): void {
    this.waiting.push(...orders);
    while (this.flying.size < this.lanes) {
      const order = this.waiting.shift();
      if (order === undefined) return;
      const flight = this.flyNext(order).then((row) => {
        this.flying.delete(flight);
        if (this.isClosed) return;
        this.events.onRow(row);
        this.give([]);
      });
      this.flying.add(flight);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.waiting.length = 0;
    this.stop.abort();
    await Promise.all(this.flying);
  }

  private async flyNext(order: FlightOrder): Promise<Row> {
    const startedMs = performance.now();
    const row = await this.attempt(order, 2);
    this.pace.add(performance.now() - startedMs);
    return row;
  }

  private async attempt(order: FlightOrder, tries: number): Promise<Row> {
    try {
      return await this.flyer.fly(order);
    } catch (error) {
      const reason = error instanceof SimError ? error.what.split("\n")[0]! : String(error);
      if (tries === 1 || this.isClosed) return withoutFlight(order.k, "poisoned", "its process was lost", []);
      this.events.onNote(`flight ${order.k}: ${reason}; it is flown again`);
      return this.attempt(order, tries - 1);
    }
  }
}
