/**
 * Sends PX4 the parameters of the flight over MAVLink, and changes them in flight. The methods are generators that are
 * resumed once per tick, because PX4's link runs on simulated time.
 */
import type { SimError } from "@escapement/core";
import { noEffectWarning } from "../parameters.ts";
import type { Parameters } from "../parameters.ts";
import { sitlErrors } from "./errors.ts";
import type { ReportedParameter, VehicleLink } from "./vehicle-link.ts";

interface ExchangeContext {
  readonly link: VehicleLink;
  /** Simulated time. */
  readonly nowUs: () => number;
  /** Adds a message to the flight's events. */
  readonly warn: (text: string) => void;
  /** PX4's last messages, for errors. */
  readonly lastTexts: () => string;
}

/** Attempts are limited, because PX4 does not answer for a parameter that it does not have. */
const MAX_TRIES = 3;
const RETRY_US = 1_000_000;
/** Parameters requested per tick, few enough for PX4's socket buffer. */
const REQUESTS_PER_TICK = 16;
/** Parameters of the connection and of PX4's start. A parameter file of a different vehicle must not change them. */
const RESERVED = ["MAV_SYS_ID", "MAV_COMP_ID", "SYS_AUTOSTART", "SYS_AUTOCONFIG"];

export class ParameterExchange {
  private readonly context: ExchangeContext;
  /** Parameters that PX4 stores as integers. */
  private readonly wholeParameters = new Set<string>();

  constructor(context: ExchangeContext) {
    this.context = context;
  }

  /**
   * Reads every parameter of the flight from PX4 and sends those that differ. PX4 received them at its start too, but
   * its start script skips unknown names, and its airframe overrides a value that equals the firmware's default.
   */
  *send(vehicleParameters: Parameters, parameters: Parameters): Generator<void, void> {
    const wanted: Parameters = { ...vehicleParameters, ...parameters };
    const reserved = RESERVED.filter((name) => Object.hasOwn(wanted, name));
    const names = Object.keys(wanted).filter((name) => !reserved.includes(name));
    const unknown = yield* this.exchange(names, (name) => this.context.link.requestParameter(name));
    const required = unknown.filter((name) => Object.hasOwn(vehicleParameters, name));
    if (required.length > 0) throw this.unknownParameters(required);
    const { parameters: reported } = this.context.link;
    const differs = (name: string) => reported.has(name) && !isValue(wanted[name]!, reported.get(name)!);
    const differing = names.filter(differs);
    yield* this.exchange(differing, (name) =>
      this.context.link.sendParameter(name, wanted[name]!, this.wholeParameters.has(name)),
    );
    for (const name of differing) checkValue(name, wanted[name]!, reported.get(name));
    this.warnAbout(unknown, "which this PX4 does not have");
    this.warnAbout(reserved, "which the bridge sets itself");
  }

  private warnAbout(names: readonly string[], why: string): void {
    if (names.length > 0) this.context.warn(noEffectWarning(names, why));
  }

  /** Changes a parameter in flight. Requests it first, because its type determines how the value is encoded. */
  *change(name: string, value: number): Generator<void, void> {
    const { link } = this.context;
    const unknown = yield* this.exchange([name], () => link.requestParameter(name));
    if (unknown.length > 0) throw this.unknownParameters(unknown);
    yield* this.exchange([name], () => link.sendParameter(name, value, this.wholeParameters.has(name)));
    checkValue(name, value, link.parameters.get(name));
  }

  /**
   * Calls `request` for each parameter, several times if needed, until PX4 reports it. Returns the names for which PX4
   * does not answer.
   */
  private *exchange(names: readonly string[], request: (name: string) => void): Generator<void, readonly string[]> {
    const { parameters } = this.context.link;
    for (const name of names) {
      if (parameters.get(name)?.whole === true) this.wholeParameters.add(name);
    }
    let missing = names;
    for (const name of names) parameters.delete(name);
    for (let attempt = 0; attempt < MAX_TRIES && missing.length > 0; attempt += 1) {
      for (let first = 0; first < missing.length; first += REQUESTS_PER_TICK) {
        for (const name of missing.slice(first, first + REQUESTS_PER_TICK)) request(name);
        yield;
      }
      const againUs = this.context.nowUs() + RETRY_US;
      while (this.context.nowUs() < againUs && missing.length > 0) {
        yield;
        missing = missing.filter((name) => !parameters.has(name));
      }
    }
    return missing;
  }

  private unknownParameters(names: readonly string[]): SimError {
    return sitlErrors.noAnswer({
      what: `PX4 did not answer for parameter ${names.join(", ")}${this.context.lastTexts()}`,
      fix: "check the spelling, because PX4 does not answer for parameters that it does not have",
    });
  }
}

function isValue(value: number, { value: reported, whole }: ReportedParameter): boolean {
  return reported === (whole ? value : Math.fround(value));
}

function checkValue(name: string, value: number, reported: ReportedParameter | undefined): void {
  if (reported !== undefined && isValue(value, reported)) return;
  throw sitlErrors.rejected({
    what: `PX4 keeps parameter ${name} at ${reported?.value ?? "an unknown value"} instead of ${value}`,
    fix:
      reported?.whole === true && !Number.isInteger(value)
        ? "give a whole number"
        : "check its range, and whether PX4 itself sets it",
  });
}
