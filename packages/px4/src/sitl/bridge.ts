/**
 * Runs one stock PX4 for one flight: opens and closes ports, process and autopilot together.
 *
 * `listen` comes first, because PX4 connects to us. Then the autopilot is created, and PX4's parameters are derived
 * from it. `start` starts PX4 in a fresh work folder, unless the user starts PX4. `close` ends only the processes that
 * were started here, even after an error.
 */
import { invariant, SimError } from "@escapement/core";
import type { Probe, Sink } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { allocationParameters, gyroParameters, outputParameters } from "../parameters.ts";
import type { Parameters } from "../parameters.ts";
import { SitlAutopilot } from "./autopilot.ts";
import type { SitlLinks } from "./autopilot.ts";
import { sitlErrors } from "./errors.ts";
import { EstimateLog } from "./estimate-log.ts";
import type { SitlParams } from "./params.ts";
import { findSitl, Px4Process } from "./px4-process.ts";
import type { SitlProgram } from "./px4-process.ts";
import type { RangeLimits } from "./sensor-frame.ts";
import { FIRST_PORT, SimulatorPort } from "./simulator-port.ts";
import type { PortLimits } from "./port-limits.ts";
import type { PortStats } from "./simulator-port.ts";
import { VehicleLink } from "./vehicle-link.ts";

/** Run settings, which are not part of the flight definition. */
export interface SitlRunOptions {
  /** PX4's instance number, 0 to 9; by default the first free number. */
  readonly instance?: number;
  /**
   * The PX4 program to start; by default, the environment names it. `false` waits for a PX4 started elsewhere, e.g. in
   * a debugger, and by default waits for its answers without limit.
   */
  readonly program?: SitlProgram | false;
  readonly limits?: Partial<PortLimits>;
  /** A folder that is kept after the flight. By default a temporary folder, which is kept only if the flight fails. */
  readonly workFolder?: string;
  /** File to which PX4's own log of the flight is copied. Not supported for a PX4 started elsewhere. */
  readonly logFile?: string;
}

export interface SitlReport extends PortStats {
  readonly instance: number;
  /** Flight time at which PX4 reported that it is ready; −1 if it never was. */
  readonly readyAtS: number;
  readonly refusedFrames: number;
  /**
   * Parameters as PX4 last reported them: those of the flight and, if the flight lasted some seconds, all parameters in
   * use.
   */
  readonly parameters: readonly SitlParameter[];
}

interface SitlParameter {
  readonly name: string;
  readonly value: number;
  readonly type: "int32" | "float";
}

/** Number of PX4 instances with separate offboard ports. All later instances share one port. */
const MAX_INSTANCES = 10;

/** SITL's start scripts simulate a battery inside PX4. We switch it off, so that PX4's failsafe acts on our battery. */
const NO_SIMULATED_BATTERY: Parameters = { SIM_BAT_ENABLE: 0 };

const REJECTION = /Mission rejected: .*/;

/** Properties of the flight's sensors that PX4 needs. */
export interface SensorProperties {
  /** Limits of the range finder, if there is one. */
  readonly range?: RangeLimits;
  readonly gyroPeriodS?: number;
}

/** The period for which PX4's simulated board is configured. */
const DEFAULT_GYRO_PERIOD_S = 0.004;

/** Our ends of the links of one instance. They are replaced if another PX4 already uses that instance. */
interface Instance extends SitlLinks {
  readonly instance: number;
  readonly linkPort: number;
}

export class SitlBridge {
  /** Probe that sends the true state to PX4's log; optional. */
  readonly groundTruth: Probe = { observe: (clock, bus) => this.created?.autopilot.groundTruth.observe(clock, bus) };
  private readonly open: { -readonly [K in keyof Instance]: Instance[K] };
  private readonly run: SitlRunOptions;
  private readonly program: SitlProgram | false;
  private created:
    | { autopilot: SitlAutopilot; params: SitlParams; context: AutopilotContext; required: Parameters }
    | undefined;
  private px4: Px4Process | undefined;

  private constructor(open: Instance, run: SitlRunOptions, program: SitlProgram | false) {
    this.open = { ...open };
    this.run = run;
    this.program = program;
  }

  /** Finds PX4 and opens the ports to which it will connect. */
  static async listen(run: SitlRunOptions = {}): Promise<SitlBridge> {
    const program = run.program ?? findSitl();
    checkInstance(run.instance);
    checkLogFile(run);
    return new SitlBridge(await openPorts(run), run, program);
  }

  /** Creates the autopilot that flies with PX4. Can be called only once. */
  autopilot(params: SitlParams, context: AutopilotContext, sensors: SensorProperties = {}): SitlAutopilot {
    invariant(this.created === undefined, "a PX4 bridge can fly only one flight");
    const { range, gyroPeriodS = DEFAULT_GYRO_PERIOD_S } = sensors;
    const required = { ...vehicleParameters(params, context), ...gyroParameters(gyroPeriodS) };
    const autopilot = new SitlAutopilot({
      links: this.open,
      params,
      context,
      vehicleParameters: required,
      ...(range === undefined ? {} : { range }),
    });
    this.created = { autopilot, params, context, required };
    return autopilot;
  }

  /** Starts PX4 and waits until it has connected. If another PX4 uses the instance number, the next number is tried. */
  async start(): Promise<void> {
    if (this.program === false) return;
    for (;;) {
      const px4 = this.startProcess(this.program);
      this.px4 = px4;
      const { port } = this.open;
      await port.untilConnected();
      // If another PX4 uses this instance, that PX4 may have connected. Our PX4 then exits immediately.
      await px4.settled;
      if (port.failure === undefined) return;
      if (!px4.isInstanceTaken) throw port.failure;
      await this.useNextInstance(px4);
    }
  }

  /** Ends a flight that has not begun. A flight that has begun stops waiting for PX4, and its driver ends it. */
  abort(): void {
    const { port } = this.open;
    if (port.state === "listen") port.fail(stoppedBefore());
    else port.cancelWaits();
  }

  /** Resolves when the autopilot may have answered. The driver of the flight awaits it. */
  until(): Promise<void> {
    return this.open.port.until();
  }

  report(): SitlReport {
    const { port, instance } = this.open;
    const readyAtUs = this.created?.autopilot.pilot.readyAtUs ?? -1;
    return {
      ...port.stats,
      instance,
      readyAtS: readyAtUs < 0 ? -1 : readyAtUs / 1e6,
      refusedFrames: port.parser.stats.refused,
      parameters: this.parameters(),
    };
  }

  private parameters(): SitlParameter[] {
    return [...this.open.link.parameters].map(([name, { value, whole }]) => ({
      name,
      value,
      type: whole ? "int32" : "float",
    }));
  }

  /** Wraps a log, to add PX4's own estimate. `onParameters` receives PX4's parameters before the log is opened. */
  logOf(log: Sink, onParameters: (parameters: readonly SitlParameter[]) => void): Sink {
    return new EstimateLog(
      log,
      () => this.open.link,
      () => onParameters(this.parameters()),
    );
  }

  /**
   * Adds PX4's last output lines and the path of its output file to an error of the flight. `close` then keeps the
   * file.
   */
  withPx4Output(error: unknown): unknown {
    const { px4 } = this;
    if (!isAboutPx4(error) || px4 === undefined) return error;
    const { code, what, where, fix } = error;
    // PX4's output explains a failed link. Other errors already quote PX4's messages.
    const lines = this.open.port.failure === undefined ? "" : px4.lastLines();
    return new SimError(code, {
      what: lines === "" ? what : `${what}; PX4's last lines: ${lines}`,
      where,
      fix: `${fix}; PX4's output is in ${px4.outputFile}`,
      cause: error,
    });
  }

  /**
   * Closes everything. `failure` is the error with which the flight ended; if it concerns PX4, its work folder is kept.
   */
  async close(failure?: unknown): Promise<void> {
    await this.open.port.close();
    await this.open.link.close();
    await this.px4?.stop(isAboutPx4(failure), this.run.logFile);
  }

  private async useNextInstance(px4: Px4Process): Promise<void> {
    this.px4 = undefined;
    await px4.stop();
    const { instance, port, link } = this.open;
    if (this.run.instance !== undefined) {
      throw sitlErrors.portTaken({
        what: `another PX4 is running as instance ${instance}`,
        fix: "choose another instance, or omit it to use the first free instance",
      });
    }
    await port.close();
    await link.close();
    Object.assign(this.open, await openPorts(this.run, instance + 1));
  }

  private startProcess(program: SitlProgram): Px4Process {
    invariant(this.created !== undefined, "the autopilot must be created before PX4 starts");
    const { params, context, required } = this.created;
    const { instance, port, linkPort } = this.open;
    return new Px4Process({
      program,
      instance,
      linkPort,
      model: params.model,
      parameters: { ...required, ...context.parameters },
      ...(this.run.workFolder === undefined ? {} : { workFolder: this.run.workFolder }),
      onLine: (line) => {
        // PX4 gives the reason for rejecting a mission only in its output.
        const reason = REJECTION.exec(line)?.[0];
        if (reason !== undefined) this.created?.autopilot.addPrintedWarning(reason);
      },
      onEnd: (what) => port.fail(sitlErrors.died({ what: `PX4 ${what}`, fix: "see PX4's last output" })),
    });
  }
}

export function stoppedBefore(): SimError {
  return sitlErrors.stopped({ what: "the flight was cancelled before PX4 had started", fix: "fly again" });
}

function isAboutPx4(error: unknown): error is SimError {
  return error instanceof SimError && error.code.startsWith("SITL-") && error.code !== sitlErrors.stopped.code;
}

/** Returns the parameters that make PX4 fly this vehicle, with our battery. */
function vehicleParameters({ airframeParameters }: SitlParams, { rotors }: AutopilotContext): Parameters {
  const vehicle = airframeParameters ? { ...allocationParameters(rotors), ...outputParameters(rotors.length) } : {};
  return { ...NO_SIMULATED_BATTERY, ...vehicle };
}

function checkLogFile({ program, logFile }: SitlRunOptions): void {
  if (program !== false || logFile === undefined) return;
  throw sitlErrors.badOption({
    what: "the log of a PX4 that was started elsewhere cannot be kept",
    fix: "omit the log file, because this PX4 writes its log into its own working folder",
  });
}

function checkInstance(wanted: number | undefined): void {
  if (wanted === undefined || (Number.isInteger(wanted) && wanted >= 0 && wanted < MAX_INSTANCES)) return;
  throw sitlErrors.badOption({
    what: `instance ${wanted} is out of range`,
    fix: `use 0 to ${MAX_INSTANCES - 1}, because from ${MAX_INSTANCES} on PX4's links share a port`,
  });
}

/** Opens the ports of the requested instance, or of the first free instance from `first` on. */
export async function openPorts({ instance: wanted, limits, program }: SitlRunOptions, first = 0): Promise<Instance> {
  const isElsewhere = program === false;
  const last = wanted ?? MAX_INSTANCES - 1;
  let failure: unknown;
  for (let instance = wanted ?? first; instance <= last; instance += 1) {
    const port = new SimulatorPort({ instance, limits: { unlimited: isElsewhere, ...limits } });
    // A PX4 that we start can use any free port.
    const link = new VehicleLink({ instance, ...(isElsewhere ? {} : { port: 0 }) });
    try {
      await port.open();
      return { instance, port, link, linkPort: await link.open() };
    } catch (error) {
      failure = error;
      await port.close();
      await link.close();
    }
  }
  throw wanted === undefined ? allInstancesTaken(failure) : failure;
}

function allInstancesTaken(cause: unknown): SimError {
  const range = (port: number) => `${port} to ${port + MAX_INSTANCES - 1}`;
  return sitlErrors.portTaken({
    what: `none of PX4's ${MAX_INSTANCES} instances is free: each has another PX4, or a port that is in use (TCP ${range(FIRST_PORT)})`,
    fix: "end a flight, simulator or PX4 that uses one of these instances",
    cause,
  });
}
