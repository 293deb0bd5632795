/**
 * One stock PX4 for one flight: ports, process and autopilot opened together and closed together.
 *
 * `listen` comes first, because PX4 connects to us; then the autopilot is made, from which PX4's parameters follow;
 * `start` starts PX4 in a fresh work folder (or leaves that to somebody else). `close` ends what was started here and
 * nothing else, also after an error.
 */
import { invariant, SimError } from "@escapement/core";
import type { Probe } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { allocationParameters, outputParameters } from "../parameters.ts";
import type { Parameters } from "../parameters.ts";
import { SitlAutopilot } from "./autopilot.ts";
import type { SitlLinks } from "./autopilot.ts";
import { sitlErrors } from "./errors.ts";
import type { SitlParams } from "./params.ts";
import { findSitl, Px4Process } from "./px4-process.ts";
import type { SitlProgram } from "./px4-process.ts";
import type { RangeLimits } from "./sensor-frame.ts";
import { FIRST_PORT, SimulatorPort } from "./simulator-port.ts";
import type { PortLimits, PortStats } from "./simulator-port.ts";
import { FIRST_LINK_PORT, VehicleLink } from "./vehicle-link.ts";

/** How it is run: nothing here belongs to what is flown. */
export interface SitlRunOptions {
  /** PX4's instance number, 0 to 9; the first free one when absent. */
  readonly instance?: number;
  /** The PX4 to start; found through the environment when absent; `false` waits for one started elsewhere. */
  readonly program?: SitlProgram | false;
  readonly limits?: Partial<PortLimits>;
  /** Kept after the flight; a temporary folder otherwise, which is kept only when the flight fails. */
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

/** Both ends of one instance's links. Exchanged as a whole where another PX4 has that instance. */
interface Instance extends SitlLinks {
  readonly instance: number;
}

export class SitlBridge {
  /** Sends the true state to PX4's log; part of the flight where one is wanted. */
  readonly groundTruth: Probe = { observe: (clock, bus) => this.made?.autopilot.groundTruth.observe(clock, bus) };
  private readonly open: { -readonly [K in keyof Instance]: Instance[K] };
  private readonly run: SitlRunOptions;
  private readonly program: SitlProgram | false;
  private made: { autopilot: SitlAutopilot; params: SitlParams; context: AutopilotContext } | undefined;
  private px4: Px4Process | undefined;

  private constructor(open: Instance, run: SitlRunOptions, program: SitlProgram | false) {
    this.open = { ...open };
    this.run = run;
    this.program = program;
  }

  /** Finds PX4 and opens the ports it will connect to. */
  static async listen(run: SitlRunOptions = {}): Promise<SitlBridge> {
    const program = run.program ?? findSitl();
    requireInstance(run.instance);
    return new SitlBridge(await openPorts(run), run, program);
  }

  /** Makes the autopilot that flies with PX4; once. */
  autopilot(params: SitlParams, context: AutopilotContext, range?: RangeLimits): SitlAutopilot {
    invariant(this.made === undefined, "a PX4 bridge flies one flight");
    const autopilot = new SitlAutopilot({
      links: this.open,
      params,
      context,
      ...(range === undefined ? {} : { range }),
    });
    this.made = { autopilot, params, context };
    return autopilot;
  }

  /** Starts PX4 and waits until it has connected. An instance number that another PX4 has is passed over. */
  async start(): Promise<void> {
    if (this.program === false) return;
    for (;;) {
      const px4 = this.startProcess(this.program);
      this.px4 = px4;
      const { port } = this.open;
      await port.untilConnected();
      // Where another PX4 has this instance, it may have been the one that connected; ours then ends at once.
      await px4.settled;
      if (port.failure === undefined) return;
      if (!px4.isInstanceTaken) throw port.failure;
      await this.passOver(px4);
    }
  }

  /** Ends a flight that has not begun; one that has is ended by its driver. */
  abort(): void {
    const { port } = this.open;
    if (port.state === "listen") port.fail(stoppedBefore());
  }

  /** Resolves when the autopilot may have answered: for the driver of the flight. */
  until(): Promise<void> {
    return this.open.port.until();
  }

  report(): SitlReport {
    const { port, instance } = this.open;
    const readyAtUs = this.made?.autopilot.pilot.readyAtUs ?? -1;
    return {
      ...port.stats,
      instance,
      readyAtS: readyAtUs < 0 ? -1 : readyAtUs / 1e6,
      refusedFrames: port.parser.stats.refused,
    };
  }

  /** An error of the flight with what PX4 itself has to say about it, which `close` then leaves there. */
  explained(error: unknown): unknown {
    const { px4 } = this;
    if (!isAboutPx4(error) || px4 === undefined) return error;
    const { code, what, where, fix } = error;
    // An error of the links has PX4's own messages in it only if these are shown here.
    const lines = this.open.port.failure === undefined ? "" : px4.lastLines();
    return new SimError(code, {
      what: lines === "" ? what : `${what}; PX4's last lines: ${lines}`,
      where,
      fix: `${fix}; PX4's output is in ${px4.outputFile}`,
      cause: error,
    });
  }

  /** `failure` is what the flight ended with, if that was a mistake: then PX4's work folder stays. */
  async close(failure?: unknown): Promise<void> {
    await this.open.port.close();
    await this.open.link.close();
    await this.px4?.stop(isAboutPx4(failure));
  }

  private async passOver(px4: Px4Process): Promise<void> {
    this.px4 = undefined;
    await px4.stop();
    const { instance, port, link } = this.open;
    if (this.run.instance !== undefined) {
      throw sitlErrors.portTaken({
        what: `another PX4 is running as instance ${instance}`,
        fix: "choose another instance, or none: the first free one is taken then",
      });
    }
    await port.close();
    await link.close();
    Object.assign(this.open, await openPorts(this.run, instance + 1));
  }

  private startProcess(program: SitlProgram): Px4Process {
    invariant(this.made !== undefined, "the autopilot is made before PX4 starts");
    const { params, context } = this.made;
    const { instance, port } = this.open;
    const vehicle = params.airframeParameters
      ? { ...allocationParameters(context.rotors), ...outputParameters(context.rotors.length) }
      : {};
    return new Px4Process({
      program,
      instance,
      model: params.model,
      parameters: { ...OWN_BATTERY, ...vehicle, ...context.parameters },
      ...(this.run.workFolder === undefined ? {} : { workFolder: this.run.workFolder }),
      onEnd: (what) => port.fail(sitlErrors.died({ what: `PX4 ${what}`, fix: "see what PX4 said last" })),
    });
  }
}

export function stoppedBefore(): SimError {
  return sitlErrors.stopped({ what: "the flight was asked to end before PX4 had started", fix: "fly again" });
}

function isAboutPx4(error: unknown): error is SimError {
  return error instanceof SimError && error.code.startsWith("SITL-") && error.code !== sitlErrors.stopped.code;
}

function requireInstance(wanted: number | undefined): void {
  if (wanted === undefined || (Number.isInteger(wanted) && wanted >= 0 && wanted < MOST_INSTANCES)) return;
  throw sitlErrors.badOption({
    what: `instance ${wanted} cannot be used`,
    fix: `use 0 to ${MOST_INSTANCES - 1}: from ${MOST_INSTANCES} on PX4's links share a port`,
  });
}

/** The ports of the wanted instance, or of the first from `first` on that is free. */
export async function openPorts({ instance: wanted, limits }: SitlRunOptions, first = 0): Promise<Instance> {
  const last = wanted ?? MOST_INSTANCES - 1;
  let failure: unknown;
  for (let instance = wanted ?? first; instance <= last; instance += 1) {
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
  throw wanted === undefined ? allTaken(failure) : failure;
}

function allTaken(cause: unknown): SimError {
  const range = (port: number) => `${port} to ${port + MOST_INSTANCES - 1}`;
  return sitlErrors.portTaken({
    what: `none of PX4's ${MOST_INSTANCES} instances is free: each has another PX4, or a port that is in use (TCP ${range(FIRST_PORT)}, UDP ${range(FIRST_LINK_PORT)})`,
    fix: "end a flight, a simulator or a PX4 that holds one",
    cause,
  });
}
