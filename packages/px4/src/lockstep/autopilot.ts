/**
 * PX4's own navigator and controllers as the autopilot of a flight, inside this process.
 *
 * The constructor is fast and needs no PX4. The library is opened when the flight begins, or earlier by `open`, so that
 * its start can be supervised. Flights are repeatable bit for bit with one build of the library. PX4's state is
 * inside the library and cannot be saved, so a flight is restored by flying it again.
 */
import { periodicAxis } from "@escapement/core";
import type { Axis, Clock, Source, SourceMessage, View } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { allocationParameters } from "../parameters.ts";
import { findLockstep } from "./discovery.ts";
import type { LockstepParams } from "./params.ts";
import { rateReports, assertExactRates } from "./rates.ts";
import type { RateReport } from "./rates.ts";
import { LockstepSession } from "./session.ts";

export class LockstepAutopilot implements Source<"autopilot"> {
  readonly writer = "autopilot";
  readonly axis: Axis;
  readonly restore = "fly-again";
  readonly messages: readonly SourceMessage[];
  /** The rates at which PX4's modules actually run. */
  readonly rates: readonly RateReport[];
  private readonly params: LockstepParams;
  private readonly context: AutopilotContext;
  private readonly received: SourceMessage[] = [];
  private session: LockstepSession | undefined;

  constructor(params: LockstepParams, context: AutopilotContext) {
    this.params = params;
    this.messages = this.received;
    this.context = context;
    this.axis = periodicAxis({ periodUs: context.periodUs, startUs: context.startUs ?? 0 });
    this.rates = rateReports(params, context.periodUs);
    if (params.strictRates) assertExactRates(this.rates);
    // Before the flight begins, reject a geometry that PX4 cannot use.
    if (params.airframeParameters) allocationParameters(context.rotors);
  }

  /** Finds and starts the library. */
  open(): LockstepSession {
    const { params, context, rates } = this;
    this.session ??= new LockstepSession({ params, context, rates, paths: findLockstep(), messages: this.received });
    return this.session;
  }

  readonly update = (clock: Clock, bus: View<"autopilot">): void => {
    (this.session ?? this.open()).update(clock, bus);
  };

  save(): void {}

  load(): void {}

  close(): void {
    this.session?.close();
  }
}
