/**
 * Flies flights whose autopilot runs in a separate process. The coordinator's process supervises those processes, so no
 * threads are needed.
 *
 * If the process of a flight is lost, the flight is flown once more. If the second process is lost too, the outcome of
 * the row is `poisoned`.
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
  private readonly pace = new Pace(DEFAULT_LIMITS);
  private readonly waiting: FlightOrder[] = [];
  private flying = 0;
  private isClosed = false;

  constructor(flyer: CampaignFlyer, lanes: number, events: FleetEvents) {
    this.flyer = flyer;
    this.lanes = lanes;
    this.events = events;
  }

  get depth(): number {
    return 2 * this.lanes;
  }

  get flightMs(): number {
    return this.pace.medianMs;
  }

  give(orders: readonly FlightOrder[]): void {
    this.waiting.push(...orders);
    while (this.flying < this.lanes) {
      const order = this.waiting.shift();
      if (order === undefined) return;
      void this.flyNext(order);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.waiting.length = 0;
  }

  private async flyNext(order: FlightOrder): Promise<void> {
    this.flying += 1;
    const startedMs = performance.now();
    const row = await this.attempt(order, 2);
    this.pace.add(performance.now() - startedMs);
    this.flying -= 1;
    if (this.isClosed) return;
    this.events.onRow(row);
    this.give([]);
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
