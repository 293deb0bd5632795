/**
 * One stock PX4 for one flight: ports, process and autopilot opened together and closed together.
 *
 * `listen` comes first, because PX4 connects to us; `start` starts PX4 in a fresh work folder (or leaves that to somebody
 * else). `close` ends what was started here and nothing else, also after an error.
 */
import { invariant } from "@escapement/core";
import type { Probe } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { allocationParameters, outputParameters } from "../parameters.ts";
import type { Parameters } from "../parameters.ts";
import { SitlAutopilot } from "./autopilot.ts";
import { sitlErrors } from "./errors.ts";
import type { SitlParams } from "./params.ts";
import { findSitl, Px4Process } from "./px4-process.ts";
import type { SitlProgram } from "./px4-process.ts";
import { SimulatorPort } from "./simulator-port.ts";
import type { PortLimits, PortStats } from "./simulator-port.ts";
import { VehicleLink } from "./vehicle-link.ts";

/** How it is run: nothing here belongs to what is flown. */
export interface SitlRunOptions {
  /** PX4's instance number, 0 to 9; the first free one when absent. */
  readonly instance?: number;
  /** The PX4 to start; found through the environment when absent; `false` waits for one started elsewhere. */
  readonly program?: SitlProgram | false;
  readonly limits?: Partial<PortLimits>;
  /** Kept after the flight; a temporary folder otherwise. */
  readonly workFolder?: string;
}

export interface SitlReport extends PortStats {
  readonly instance: number;
  /** Flight time at which PX4 declared itself ready; −1 if it never did. */
  readonly readyAtS: number;
  readonly refusedFrames: number;
}

/** PX4's offboard link of instance 10 and above shares one port. */
const MOST_INSTANCES = 10;

/** SITL's start scripts simulate a battery of PX4's own; ours takes its place, and its failsafe acts on it. */
const OWN_BATTERY: Parameters = { SIM_BAT_ENABLE: 0 };

export class SitlBridge {
  readonly instance: number;
  /** Sends the true state to PX4's log; part of the flight where one is wanted. */
  readonly groundTruth: Probe = { observe: (clock, bus) => this.autopilot?.groundTruth.observe(clock, bus) };
  private readonly port: SimulatorPort;
  private readonly link: VehicleLink;
  private readonly run: SitlRunOptions;
  private readonly program: SitlProgram | false;
  private autopilot: SitlAutopilot | undefined;
  private px4: Px4Process | undefined;

  private constructor(options: {
    instance: number;
    port: SimulatorPort;
    link: VehicleLink;
    run: SitlRunOptions;
    program: SitlProgram | false;
  }) {
    this.instance = options.instance;
    this.port = options.port;
    this.link = options.link;
    this.run = options.run;
    this.program = options.program;
  }

  /** Finds PX4 and opens the ports it will connect to. */
  static async listen(run: SitlRunOptions = {}): Promise<SitlBridge> {
    const program = run.program ?? findSitl();
    return new SitlBridge({ ...(await openPorts(run)), run, program });
  }

  /** Starts PX4 and makes the autopilot that flies with it; once. */
  start(params: SitlParams, context: AutopilotContext): SitlAutopilot {
    invariant(this.autopilot === undefined, "a PX4 bridge flies one flight");
    if (this.program !== false) this.px4 = this.startProcess(this.program, params, context);
    this.autopilot = new SitlAutopilot({ port: this.port, link: this.link, params, context });
    return this.autopilot;
  }

  /** Resolves when the autopilot may have answered: for the driver of the flight. */
  until(): Promise<void> {
    return this.port.until();
  }

  report(): SitlReport {
    const readyAtUs = this.autopilot?.pilot.readyAtUs ?? -1;
    return {
      ...this.port.stats,
      instance: this.instance,
      readyAtS: readyAtUs < 0 ? -1 : readyAtUs / 1e6,
      refusedFrames: this.port.parser.stats.refused,
    };
  }

  async close(): Promise<void> {
    await this.port.close();
    await this.link.close();
    await this.px4?.stop();
  }

  private startProcess(program: SitlProgram, params: SitlParams, context: AutopilotContext): Px4Process {
    const vehicle = params.airframeParameters
      ? { ...allocationParameters(context.rotors), ...outputParameters(context.rotors.length) }
      : {};
    return new Px4Process({
      program,
      instance: this.instance,
      model: params.model,
      parameters: { ...OWN_BATTERY, ...vehicle, ...context.parameters },
      ...(this.run.workFolder === undefined ? {} : { workFolder: this.run.workFolder }),
      onEnd: (what) => {
        this.port.fail(
          sitlErrors.died({
            what: `PX4 ${what}; its last lines: ${this.px4?.lastLines() ?? ""}`,
            fix: "look at PX4's output; is another PX4 with this instance number running?",
          }),
        );
      },
    });
  }
}

/** The ports of the wanted instance, or of the first that is free. */
async function openPorts(run: SitlRunOptions): Promise<{ instance: number; port: SimulatorPort; link: VehicleLink }> {
  const { instance: wanted, limits } = run;
  if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 0 && wanted < MOST_INSTANCES)) {
    throw sitlErrors.badOption({
      what: `instance ${wanted} cannot be used`,
      fix: `use 0 to ${MOST_INSTANCES - 1}: from ${MOST_INSTANCES} on PX4's links share a port`,
    });
  }
  const candidates = wanted === undefined ? Array.from({ length: MOST_INSTANCES }, (_, i) => i) : [wanted];
  let failure: unknown;
  for (const instance of candidates) {
    const port = new SimulatorPort({ instance, ...(limits === undefined ? {} : { limits }) });
    const link = new VehicleLink({ instance });
    try {
      await port.open();
      await link.open();
      return { instance, port, link };
    } catch (error) {
      failure = error;
      await port.close();
      await link.close();
    }
  }
  throw failure;
}
