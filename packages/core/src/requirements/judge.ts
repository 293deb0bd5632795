/**
 * Judges requirements and computes measures from the samples of one flight or log.
 *
 * Samples are collected and processed in blocks: one loop per requirement over the samples of a block takes much less
 * time than one loop per sample over the requirements.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { SampleBlock } from "./sample-block.ts";
import type { SampleSource } from "./sample-source.ts";
import { type Measure, MeasureMonitor, type MeasureResult } from "./measure.ts";
import { RequirementMonitor } from "./monitor.ts";
import type { Requirement } from "./requirement.ts";
import type { Verdict } from "./verdict.ts";

/** The requirements and measures to evaluate. */
export interface Judged {
  readonly requirements: readonly Requirement[];
  readonly measures?: readonly Measure[];
}

interface JudgeOptions {
  /** The margin of comparisons with values that a log does not contain. */
  readonly unknown?: number;
  /** Samples per block. It does not affect the results. */
  readonly blockSize?: number;
}

export class Judge implements Saveable {
  private readonly block: SampleBlock;
  private readonly monitors: readonly RequirementMonitor[];
  private readonly measures: readonly MeasureMonitor[];

  /** Throws a typed error if a requirement names something that the source does not have. */
  constructor(
    { requirements, measures = [] }: Judged,
    source: SampleSource,
    { unknown, blockSize }: JudgeOptions = {},
  ) {
    this.block = new SampleBlock({ unknown, size: blockSize, keeper: source.keeper });
    this.monitors = requirements.map((requirement) => new RequirementMonitor(requirement, this.block, source));
    this.measures = measures.map((measure) => new MeasureMonitor(measure, this.block, source));
  }

  /** Adds a sample. The source must hold the values at this time. */
  addSample(timeUs: Float64Array): void {
    if (this.block.add(timeUs)) this.processBlock();
  }

  /** Returns the verdicts as if the flight ended at the last sample. Before the first sample nothing is decided. */
  verdicts(): Verdict[] {
    this.processBlock();
    return this.monitors.map((monitor) => monitor.verdict(this.block.longestGapUs[0]!));
  }

  /** Whether no later sample can change any verdict, apart from its margin. False if there are no requirements. */
  isDecided(): boolean {
    this.processBlock();
    return this.monitors.length > 0 && this.monitors.every(({ isDecided }) => isDecided);
  }

  measureResults(): MeasureResult[] {
    this.processBlock();
    return this.measures.map((measure) => measure.result());
  }

  save(writer: SnapshotWriter): void {
    this.processBlock();
    for (const part of this.parts()) part.save(writer);
  }

  load(reader: SnapshotReader): void {
    for (const part of this.parts()) part.load(reader);
  }

  private parts(): readonly Saveable[] {
    return [this.block, ...this.monitors, ...this.measures];
  }

  /** Processes the samples that were added so far. */
  processBlock(): void {
    const { block, monitors, measures } = this;
    if (block.count === 0) return;
    block.evaluate();
    for (let i = 0; i < monitors.length; i += 1) monitors[i]!.step();
    for (let i = 0; i < measures.length; i += 1) measures[i]!.step();
    block.clear();
  }
}
