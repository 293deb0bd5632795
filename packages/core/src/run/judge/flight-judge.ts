/**
 * The observer that judges a flight. It samples the flight whenever the scenario, the autopilot or the log is due, and
 * at the start and the end. It adds no boundary and changes no bit.
 */
import { type BoundaryView, DUE_BITS, type Observer } from "../../engine/index.ts";
import { FlightSamples, type SampledFlight } from "../../describe/sections/flight-samples.ts";
import { Judge, type Judged } from "../../requirements/judge.ts";
import type { MeasureResult } from "../../requirements/measure.ts";
import type { Verdict } from "../../requirements/verdict.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";

/** The section of a checkpoint that holds the memory of monitors. */
export const JUDGE_SECTION = "requirements";

export class FlightJudge implements Observer {
  readonly dueMask = DUE_BITS.scenario | DUE_BITS.autopilot | DUE_BITS.log;
  private readonly samples: FlightSamples;
  private readonly judge: Judge;

  constructor(judged: Judged, flight: SampledFlight) {
    this.samples = new FlightSamples(flight);
    this.judge = new Judge(judged, this.samples);
  }

  readonly observe = (view: BoundaryView): void => {
    this.samples.setBoundary(view);
    this.judge.addSample(view.frame);
  };

  /** Returns the verdicts as if the flight ended at the last sample. */
  verdicts(): Verdict[] {
    return this.judge.verdicts();
  }

  /** Returns true if the rest of the flight cannot change any verdict, apart from its margin. */
  isDecided(): boolean {
    return this.judge.isDecided();
  }

  measureResults(): MeasureResult[] {
    return this.judge.measureResults();
  }

  save(writer: SnapshotWriter): void {
    // Process the samples of the block first, because the memory of `samples` must include them.
    this.judge.processBlock();
    writer.section(JUDGE_SECTION);
    this.samples.save(writer);
    this.judge.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section(JUDGE_SECTION);
    this.samples.load(reader);
    this.judge.load(reader);
  }
}
