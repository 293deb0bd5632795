/** Judges requirements and computes measures from the samples of one flight or log. */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { BETTER, EXCLUDED, Exclusion } from "./exclusion.ts";
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
  /** Longest time between two samples, and the number of samples. */
  private readonly cells = new Float64Array(2);

  /**
   * Throws a typed error if a requirement names something that the source does not have. `unknown` is the margin of
   * comparisons with values that a log does not know.
   */
  constructor({ requirements, measures = [] }: Judged, source: SampleSource, unknown?: number) {
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
    sample.update();
    for (let i = 0; i < monitors.length; i += 1) {
      const is = exclusion.of(i);
      if (is === EXCLUDED) continue;
      monitors[i]!.step(is === BETTER);
      exclusion.take(i);
    }
    for (let i = 0; i < measures.length; i += 1) measures[i]!.step();
  }

  /** The verdicts if the flight ends at the last sample. Before the first sample nothing is decided. */
  verdicts(): Verdict[] {
    return this.monitors.map((monitor) => monitor.verdict(this.cells[0]!));
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
