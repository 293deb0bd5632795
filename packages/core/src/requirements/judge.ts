/** Judges requirements and computes measures from the samples of one flight or log. */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { BETTER, EXCLUDED, Exclusion } from "./exclusion.ts";
import { type SampleFunction, sampleFunction } from "./sampling-code.ts";
import { Sample, type SampleSource } from "./sample.ts";
import { type Measure, MeasureMonitor, type MeasureResult } from "./measure.ts";
import { RequirementMonitor } from "./monitor.ts";
import type { Requirement } from "./requirement.ts";
import type { Verdict } from "./verdict.ts";

/** The requirements and measures to evaluate. */
export interface Judged {
  readonly requirements: readonly Requirement[];
  readonly measures?: readonly Measure[];
}

export class Judge implements Saveable {
  private readonly sample: Sample;
  private readonly monitors: readonly RequirementMonitor[];
  private readonly exclusion: Exclusion;
  private readonly measures: readonly MeasureMonitor[];
  /** Code for this list of requirements, and the array for which it was made. */
  private code: SampleFunction | undefined;
  private boundTo: Float64Array | undefined;
  private readonly hasCode: boolean;
  /** Longest time between two samples, and the number of samples. */
  private readonly cells = new Float64Array(2);

  /**
   * Throws a typed error if a requirement names something that the source does not have. `unknown` is the margin of
   * comparisons with values that a log does not know. If `codegen` is false, no code is made; the verdicts are the
   * same.
   */
  constructor(
    { requirements, measures = [] }: Judged,
    source: SampleSource,
    { unknown, codegen = true }: { readonly unknown?: number; readonly codegen?: boolean } = {},
  ) {
    this.hasCode = codegen;
    this.sample = new Sample(unknown);
    this.monitors = requirements.map((requirement) => new RequirementMonitor(requirement, this.sample, source));
    this.exclusion = new Exclusion(this.monitors, this.sample);
    this.measures = measures.map((measure) => new MeasureMonitor(measure, this.sample, source));
  }

  /** Takes a sample. The source must have the values of this time. */
  takeSample(timeUs: Float64Array): void {
    const { sample, cells, monitors, measures, exclusion } = this;
    if (cells[1]! > 0) cells[0] = Math.max(cells[0]!, timeUs[0]! - sample.time[0]!);
    cells[1]! += 1;
    sample.time[0] = timeUs[0]!;
    // The arrays of a flight are known at its first sample.
    if (this.hasCode && this.boundTo !== sample.firstArray) this.bind();
    if (this.code === undefined) this.interpret();
    else {
      const { due, isBetter } = exclusion;
      const count = this.code();
      for (let i = 0; i < count; i += 1) {
        monitors[due[i]!]!.step(isBetter[i] === 1);
        exclusion.take(due[i]!);
      }
    }
    for (let i = 0; i < measures.length; i += 1) measures[i]!.step();
  }

  /** Judges a sample without generated code, on platforms that do not allow it and for logs. */
  private interpret(): void {
    const { sample, monitors, exclusion } = this;
    sample.update();
    for (let i = 0; i < monitors.length; i += 1) {
      const is = exclusion.of(i);
      if (is === EXCLUDED) continue;
      monitors[i]!.step(is === BETTER);
      exclusion.take(i);
    }
  }

  private bind(): void {
    this.boundTo = this.sample.firstArray;
    this.code = sampleFunction(this.sample, this.exclusion);
  }

  /** Returns the verdicts if the flight ends at the last sample. Before the first sample nothing is decided. */
  verdicts(): Verdict[] {
    return this.monitors.map((monitor) => monitor.verdict(this.cells[0]!));
  }

  /** Whether no later sample can change the word of any verdict. False if there are no requirements. */
  get isDecided(): boolean {
    return this.monitors.length > 0 && this.monitors.every(({ isDecided }) => isDecided);
  }

  measured(): MeasureResult[] {
    return this.measures.map((measure) => measure.result());
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.cells);
    for (const part of [this.sample, ...this.monitors, ...this.measures]) part.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.cells);
    for (const part of [this.sample, ...this.monitors, ...this.measures]) part.load(reader);
    this.exclusion.update();
  }
}
