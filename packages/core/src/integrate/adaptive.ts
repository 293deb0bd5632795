/**
 * Adaptive integration: steps as long as the tolerances allow, in whole microseconds, up to exactly the interval's end.
 *
 * The memory holds the controller's history, x at the end of the last interval, and u over it. If the next interval
 * begins with the same bits in x and u, integration continues; otherwise it restarts. It restarts with `firstStepUs` if
 * that is set. If not, it restarts with the last wanted size if a step as long as the interval has been accepted
 * before, and otherwise with a size computed from the equations (`starting-step.ts`). If the time is also the same, the
 * slope at the end becomes the next first slope (FSAL). The slope follows from x, u and time, so it is never saved.
 *
 * If the shortest step cannot meet the tolerance, a typed error ends the flight. There are two exceptions if its error
 * is finite: the step is accepted if it contains a seam, and it is accepted and counted if `atMinimum` is "accept".
 */
import { invariant } from "../errors/index.ts";
import { defineKind } from "../params/index.ts";
import type { SnapshotReader, SnapshotWriter, StateLayout } from "../state/index.ts";
import type { Integrator, IntegratorContext, IntegratorStats, NamedIntegrator, EventFinder } from "./contract.ts";
import { bitsOf, sameBits } from "./bits.ts";
import { DenseOutput } from "./dense.ts";
import { ErrorNorm } from "./error-norm.ts";
import { integrateErrors } from "./errors.ts";
import { adaptiveParams, type AdaptiveParams } from "./params.ts";
import { RungeKutta } from "./runge-kutta.ts";
import { StartingStep } from "./starting-step.ts";
import { StepControl } from "./step-control.ts";
import { checkTableau, type Tableau } from "./tableau.ts";

/** Numbers in the controller's history: the wanted size, the previous error and the longest accepted step. */
const HISTORY = 3;

class AdaptiveIntegrator implements Integrator {
  readonly order: number;
  readonly stats: IntegratorStats;
  readonly memorySize: number;
  private readonly layout: StateLayout;
  private readonly params: AdaptiveParams;
  private readonly u: Float64Array;
  private readonly rk: RungeKutta;
  private readonly norm: ErrorNorm;
  private readonly control: StepControl;
  private readonly error: Float64Array;
  private readonly dense: DenseOutput;
  /** The state at the end of the last interval, and the input over that interval. */
  private readonly xEnded: Float64Array;
  private readonly uEnded: Float64Array;
  private readonly bits: { readonly [name in "x" | "xEnded" | "u" | "uEnded"]: Int32Array };
  /** Time at which `slopeAtEnd` is valid; NaN if it is not. */
  private readonly slopeUs = Float64Array.of(NaN);
  /** The controller's history before this interval, restored if an event ends the interval early. */
  private readonly historyBefore = new Float64Array(HISTORY);
  /** Buffer to save and load the controller's history. */
  private readonly history = new Float64Array(HISTORY);
  private readonly startingStep: StartingStep;

  constructor(tableau: Tableau, params: AdaptiveParams, context: IntegratorContext) {
    const { plant, u } = context;
    const { size } = plant.layout;
    this.layout = plant.layout;
    this.params = params;
    this.u = u;
    this.rk = new RungeKutta(tableau, context, params.attitude);
    this.order = tableau.order;
    this.stats = this.rk.stats;
    this.norm = new ErrorNorm(plant.layout, params, this.rk.map !== undefined);
    this.control = new StepControl(tableau.order, params);
    this.error = new Float64Array(this.rk.size);
    this.dense = new DenseOutput(this.rk);
    this.xEnded = new Float64Array(size);
    this.uEnded = new Float64Array(u.length);
    this.bits = {
      x: bitsOf(this.rk.xStart),
      xEnded: bitsOf(this.xEnded),
      u: bitsOf(u),
      uEnded: bitsOf(this.uEnded),
    };
    this.startingStep = new StartingStep(this.rk, this.norm);
    this.memorySize = HISTORY + size + u.length;
  }

  get isValid(): boolean {
    return this.rk.isValid;
  }

  get isClearOfEvents(): boolean {
    return this.rk.isClearOfEvents;
  }

  advance(span: Float64Array, x: Float64Array, finder?: EventFinder): boolean {
    const { control, dense, norm, rk, stats } = this;
    const endUs = span[1]!;
    let us = span[0]!;
    invariant(endUs >= us, "an interval ends before it starts");
    if (endUs === us) return true;
    const isContinued = this.begin(span, x);
    for (let tries = 0; us < endUs; tries += 1) {
      if (tries >= this.params.maxSteps) this.failTooMany(span, us);
      const sizeUs = control.chooseUs(endUs - us);
      rk.stepUs[0] = us;
      rk.stepUs[1] = sizeUs;
      rk.step(us + sizeUs === endUs);
      rk.measureError(norm, this.error);
      if (norm.value[0]! <= 1) {
        control.accept(sizeUs, norm.value);
      } else if (sizeUs > control.shortestUs(endUs - us)) {
        control.reject(sizeUs, norm.value);
        stats.rejected += 1;
        continue;
      } else {
        this.forceOrFail(us, sizeUs, finder);
      }
      stats.accepted += 1;
      us += sizeUs;
      if (finder !== undefined && !(rk.isClearOfEvents && finder.isClearOfEvents === true)) {
        dense.invalidate();
        if (finder.inspect(dense)) {
          this.restoreHistory(this.historyBefore);
          return false;
        }
      }
      if (us < endUs) {
        rk.moveStartToEnd();
        if (rk.fsal) {
          rk.carrySlope();
        } else {
          rk.stepUs[0] = us;
          rk.startSlope();
        }
      }
    }
    rk.copyEndInto(x);
    rk.copyEndInto(this.xEnded);
    // Store the input only now, because an event that ends the interval early must leave the memory unchanged.
    if (!isContinued) this.storeInput();
    this.slopeUs[0] = endUs;
    return true;
  }

  /** Copies the input in a loop, because `set` takes longer for arrays this short. */
  private storeInput(): void {
    const { u, uEnded } = this;
    for (let i = 0; i < u.length; i += 1) uEnded[i] = u[i]!;
  }

  /**
   * Loads x, then restarts or continues, and reuses the slope at the last end if it is still valid. Returns whether it
   * continues.
   */
  private begin(span: Float64Array, x: Float64Array): boolean {
    const { bits, control, rk } = this;
    this.saveHistory(this.historyBefore);
    const isIntact = rk.loadStart(x);
    const isContinued = sameBits(bits.u, bits.uEnded) && sameBits(bits.x, bits.xEnded);
    if (!isContinued) control.restart();
    if (rk.fsal && isContinued && isIntact && this.slopeUs[0] === span[0]) {
      rk.carrySlope();
    } else {
      rk.stepUs[0] = span[0]!;
      rk.startSlope();
    }
    const lengthUs = span[1]! - span[0]!;
    if (control.needsStartingStep(lengthUs)) control.wantedUs[0] = this.startingStep.sizeUs(span[0]!, lengthUs);
    return isContinued;
  }

  private forceOrFail(us: number, sizeUs: number, finder: EventFinder | undefined): void {
    // A step across a change of the equations has a large error at any length, so accept the shortest one. The next
    // step starts after the change.
    this.dense.invalidate();
    if (this.norm.value[0]! < Infinity && finder?.hasSeam?.(this.dense) === true) {
      this.control.force(sizeUs);
      return;
    }
    if (this.params.atMinimum === "accept" && this.norm.value[0]! < Infinity) {
      this.control.force(sizeUs);
      this.stats.forced += 1;
      return;
    }
    const { base, end } = this.rk;
    this.rk.errorInto(this.error);
    const worst = this.norm.worst(base, end, this.error);
    const { absolute, relative } = worst.tolerance;
    const situation = `${this.layout.dump(this.rk.xStart)}\ntolerances:\n${this.norm.describe()}\n`;
    if (this.norm.value[0]! < Infinity) {
      throw integrateErrors.stepTooSmall({
        what:
          `a step of ${sizeUs} µs, the shortest allowed, has an error of ${worst.error} ${worst.unit} in ${worst.name}, ` +
          `${worst.ratio} times its tolerance (${absolute} ${worst.unit} + ${relative} of its size), from the state\n${situation}`,
        where: { tUs: us, stage: "integrate" },
        fix: `loosen the tolerance of ${worst.name}, turn the discontinuity there into a boundary or a seam, or set atMinimum = "accept"`,
      });
    }
    throw integrateErrors.notFinite({
      what: `a step of ${sizeUs} µs, the shortest allowed, leads to values that are not finite, first in ${worst.name}, from the state\n${situation}`,
      where: { tUs: us, stage: "integrate" },
      fix: "the equations of the plant are not defined there: look for a division by zero or a root of a negative number",
    });
  }

  private failTooMany(span: Float64Array, us: number): never {
    throw integrateErrors.tooManySteps({
      what:
        `the interval from ${span[0]! / 1e6} s to ${span[1]! / 1e6} s is not finished after ${this.params.maxSteps} steps; ` +
        `the next step would be ${this.control.wantedUs[0]} µs, from the state\n${this.layout.dump(this.rk.xStart)}\n` +
        `tolerances:\n${this.norm.describe()}\n`,
      where: { tUs: us, stage: "integrate" },
      fix: "loosen the tolerances, shorten the interval, or raise maxSteps",
    });
  }

  restart(): void {
    this.control.restart();
  }

  saveInto(memory: Float64Array): void {
    const { uEnded, xEnded } = this;
    this.saveHistory(memory);
    for (let i = 0; i < xEnded.length; i += 1) memory[HISTORY + i] = xEnded[i]!;
    for (let i = 0; i < uEnded.length; i += 1) memory[HISTORY + xEnded.length + i] = uEnded[i]!;
  }

  restoreFrom(memory: Float64Array): void {
    const { uEnded, xEnded } = this;
    this.restoreHistory(memory);
    for (let i = 0; i < xEnded.length; i += 1) xEnded[i] = memory[HISTORY + i]!;
    for (let i = 0; i < uEnded.length; i += 1) uEnded[i] = memory[HISTORY + xEnded.length + i]!;
  }

  private saveHistory(memory: Float64Array): void {
    const { control } = this;
    memory[0] = control.wantedUs[0]!;
    memory[1] = control.previous[0]!;
    memory[2] = control.longestUs[0]!;
  }

  private restoreHistory(memory: Float64Array): void {
    const { control } = this;
    control.restart();
    control.wantedUs[0] = memory[0]!;
    control.previous[0] = memory[1]!;
    control.longestUs[0] = memory[2]!;
    this.slopeUs[0] = NaN;
  }

  /**
   * The input of the last interval is saved only if it differs from the present input, which the checkpoint holds
   * anyway and which is loaded first.
   */
  save(writer: SnapshotWriter): void {
    const { bits, history, uEnded, xEnded } = this;
    this.saveHistory(history);
    writer.numbers(history);
    writer.numbers(xEnded);
    const isSameInput = sameBits(bits.u, bits.uEnded);
    writer.number(isSameInput ? 1 : 0);
    if (!isSameInput) writer.numbers(uEnded);
  }

  load(reader: SnapshotReader): void {
    const { history, uEnded, xEnded } = this;
    reader.numbersInto(history);
    reader.numbersInto(xEnded);
    if (reader.number() === 1) this.storeInput();
    else reader.numbersInto(uEnded);
    this.restoreHistory(history);
  }
}

/** Makes an adaptive integrator kind from a method with an error estimate. The kinds differ only in the tableau. */
export function adaptiveKind<const Name extends string>(method: {
  readonly name: Name;
  readonly about: string;
  readonly version: number;
  readonly tableau: Tableau;
}): NamedIntegrator<Name, typeof adaptiveParams> {
  const { about, name, tableau, version } = method;
  checkTableau(name, tableau);
  invariant(tableau.e !== undefined && tableau.e.some((weight) => weight !== 0), `${name} needs an error estimate`);
  const kind = defineKind({
    name,
    about,
    version,
    params: adaptiveParams,
    make: (params, context: IntegratorContext): Integrator => new AdaptiveIntegrator(tableau, params, context),
  });
  return { ...kind, stepping: "adaptive", tableau };
}
