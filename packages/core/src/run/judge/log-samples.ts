/**
 * Samples of a log for requirements: each signal at its own samples, held in between.
 *
 * All values are unknown until every signal that the requirement needs has a sample. A log of a real vehicle does not
 * contain the true state; the autopilot's estimate replaces it, and the land detector replaces the contact forces.
 */
import { type Dims, SIGNALS, type SignalName, signalSpec } from "../../engine/index.ts";
import {
  allNames,
  findNamed,
  type NamedValue,
  placesOf,
  quantityInfo,
  type QuantityName,
  quantityReader,
  type SignalValuesView,
  STATE_BLOCK_OF,
  TouchFacts,
} from "../../quantities/index.ts";
import type { EventReader, SampleSource, PlainEvent, ValueReader } from "../../requirements/sample-source.ts";
import { StateLayout } from "../../state/index.ts";
import { FlightClock } from "../../time/index.ts";
import type { LoggedFlight, LoggedSignal } from "./logged-flight.ts";

/** A signal that replaces a signal that the log does not have. */
interface Substitute {
  readonly from: SignalName;
  /** Note on verdicts that use the substitute. */
  readonly note: string;
  /** Computes the values from the substitute's values. If absent, the substitute's values are used unchanged. */
  readonly of?: (values: Float64Array, into: Float64Array) => void;
}

const ESTIMATE = "the state is the estimate of the autopilot";
const BY_LAND_DETECTOR = "ground contact is what the land detector reports";
const LAND = SIGNALS.landDetected.values;

const SUBSTITUTES: Readonly<Record<string, Substitute>> = {
  posNed: { from: "estPosNed", note: ESTIMATE },
  velNed: { from: "estVelNed", note: ESTIMATE },
  qBodyToNed: { from: "estQBodyToNed", note: ESTIMATE },
  rateBody: { from: "estRateBody", note: ESTIMATE },
  accNed: { from: "estAccNed", note: ESTIMATE },
  rateDotBody: { from: "estRateDotBody", note: ESTIMATE },
  batterySoc: { from: "batteryRemaining", note: "the charge is what the battery monitor reports" },
  specificForceBody: { from: "accelForceBody", note: "the specific force is the reading of the accelerometer" },
  landed: {
    from: "landDetected",
    note: BY_LAND_DETECTOR,
    of: (values, into) => {
      into[0] = values[0] === LAND.landed ? 1 : 0;
    },
  },
  contactForceNed: {
    from: "landDetected",
    note: BY_LAND_DETECTOR,
    // Only the sign of the last component is used: negative on the ground.
    of: (values, into) => {
      into[2] = values[0] === LAND.landed ? -1 : 0;
    },
  },
};

/** Quantities for which the land detector cannot replace the contact force, because it reports contact too late. */
const NEEDS_CONTACT: readonly QuantityName[] = ["touching", "impactMps"];
/** Signals of the events take-off and touchdown. */
const MOTION = ["posNed", "velNed", "contactForceNed"];

/** A signal in use: its current values, and the index of its next sample. */
interface Cursor {
  readonly name: string;
  readonly signal: LoggedSignal;
  readonly into: Float64Array;
  readonly of: Substitute["of"];
  next: number;
}

export class LogSamples implements SampleSource {
  private readonly log: LoggedFlight;
  private readonly dims: Dims;
  private readonly layout: StateLayout;
  private readonly facts: TouchFacts;
  private readonly places: ReturnType<typeof placesOf>;
  private readonly x: Float64Array;
  private readonly signals: Record<string, Float64Array> = {};
  private readonly cursors = new Map<string, Cursor>();
  private readonly clock = new FlightClock();
  private readonly notes = new Set<string>();
  private usesFacts = false;
  private isKnown = false;
  /** The first time at which every signal in use has a value. */
  private beginUs = Infinity;

  constructor(log: LoggedFlight) {
    this.log = log;
    const sticks = this.sizeBy("sticks");
    this.dims = {
      rotors: this.sizeBy("rotors"),
      batteries: this.sizeBy("batteries"),
      buses: this.sizeBy("buses"),
      ...(sticks === 0 ? {} : { sticks }),
    };
    this.layout = this.stateLayout();
    this.facts = new TouchFacts(this.layout);
    this.places = placesOf(this.layout);
    this.x = new Float64Array(this.layout.size);
    // `TouchFacts` reads the contact whether or not a requirement needs it.
    this.signals["contactForceNed"] = new Float64Array(3);
  }

  named(name: string): NamedValue | undefined {
    return findNamed(name, { dims: this.dims, layout: this.layout }) ?? findNamed(name);
  }

  names(): string[] {
    return allNames();
  }

  missing({ name, source }: NamedValue): { what: string; fix: string } | undefined {
    if (source.from !== "quantity") return this.missingSignal(name, source.name, source.name !== "contactForceNed");
    for (const need of this.needsOf(source.name)) {
      const missing =
        need === "contactForceNed" && NEEDS_CONTACT.includes(source.name)
          ? this.missingSignal(name, need, false)
          : this.missingSignal(name, need);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  missingEvent(event: PlainEvent): { what: string; fix: string } | undefined {
    const [text, needs] = eventNeeds(event);
    for (const need of needs) {
      const missing = this.missingSignal(text, need);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  reader({ source }: NamedValue, component: number): ValueReader {
    if (source.from !== "quantity") {
      const { into } = this.use(source.name);
      return (out, at) => {
        out[at] = this.isKnown ? into[component]! : NaN;
      };
    }
    const isFact = quantityInfo(source.name).usesFacts === true;
    for (const need of this.needsOf(source.name)) this.use(need);
    const read = quantityReader(source.name, this.places);
    if (isFact) this.usesFacts = true;
    return (out, at) => {
      const isKnown = this.isKnown && !(isFact && this.isHeightUnknown());
      out[at] = isKnown ? read(this.view, this.facts, this.x) : NaN;
    };
  }

  event(event: PlainEvent): EventReader | undefined {
    if (event.event === "named") return undefined;
    const [, needs] = eventNeeds(event);
    const [used] = needs.map((need) => this.use(need).into);
    switch (event.event) {
      case "takeoff":
        this.usesFacts = true;
        return this.edgeReader(() => this.facts.isAirborne === 1);
      case "touchdown":
        this.usesFacts = true;
        return this.edgeReader(() => this.facts.isAirborne === 0);
      case "arming":
        return this.edgeReader(() => used![0] === 1);
      case "disarming":
        return this.edgeReader(() => used![0] === 0);
      case "missionItem":
        return this.edgeReader(() => used![0] === event.item);
    }
  }

  eventNames(): string[] {
    return ["takeoff", "touchdown", "arming", "disarming"];
  }

  /** Lists the signals that were replaced, as a note; undefined if there are none. */
  note(): string | undefined {
    return this.notes.size === 0 ? undefined : [...this.notes].join("; ");
  }

  /**
   * Returns the times of the samples of the signals in use. They begin at `fromUs` if the requirement names a time
   * before the first sample.
   */
  timesUs(fromUs = Infinity): Float64Array {
    const beginUs = Math.max(-Infinity, ...[...this.cursors.values()].map(({ signal }) => signal.timesUs[0]!));
    this.beginUs = beginUs;
    const all = new Set<number>();
    for (const { signal } of this.cursors.values()) {
      for (const tUs of signal.timesUs) if (tUs > beginUs) all.add(tUs);
    }
    if (beginUs !== -Infinity) all.add(beginUs);
    if (fromUs < beginUs) all.add(fromUs);
    return Float64Array.from(all).sort();
  }

  /** Returns the longest time between two samples of a signal in use. */
  longestGapUs(endUs: number): number {
    let longest = 0;
    for (const { signal } of this.cursors.values()) {
      const { timesUs } = signal;
      for (let i = 1; i < timesUs.length; i += 1) longest = Math.max(longest, timesUs[i]! - timesUs[i - 1]!);
      longest = Math.max(longest, endUs - timesUs.at(-1)!);
    }
    return longest;
  }

  /** Advances to one of the times that `timesUs` returned. */
  advanceTo(tUs: number): void {
    this.isKnown = tUs >= this.beginUs;
    if (!this.isKnown) return;
    for (const cursor of this.cursors.values()) advance(cursor, tUs);
    this.clock.set(tUs);
    if (this.usesFacts && !this.isHeightUnknown()) this.facts.update(this.clock, this.x, this.view);
  }

  private get view(): SignalValuesView {
    return this.signals as unknown as SignalValuesView;
  }

  private isHeightUnknown(): boolean {
    const { pos } = this.places;
    return pos >= 0 && Number.isNaN(this.x[pos + 2]!);
  }

  private needsOf(quantity: QuantityName): string[] {
    const { needs, signals } = quantityInfo(quantity);
    return [...needs.map((need) => STATE_BLOCK_OF[need]), ...signals];
  }

  /** Finds the signal in the log, or its substitute. */
  private find(name: string): { signal: LoggedSignal; substitute?: Substitute } | undefined {
    const own = this.log.find(name);
    if (own !== undefined && own.timesUs.length > 0) return { signal: own };
    const substitute = SUBSTITUTES[name];
    const other = substitute === undefined ? undefined : this.log.find(substitute.from);
    return other === undefined || other.timesUs.length === 0 ? undefined : { signal: other, substitute: substitute! };
  }

  private missingSignal(
    text: string,
    name: string,
    allowsSubstitute = true,
  ): { what: string; fix: string } | undefined {
    const found = this.find(name);
    if (found !== undefined && (allowsSubstitute || found.substitute === undefined)) return undefined;
    const from = allowsSubstitute ? SUBSTITUTES[name]?.from : undefined;
    const places = [name, ...(from === undefined ? [] : [from])].map((one) => this.log.placeOf(one));
    const known = places.filter((place) => place !== undefined);
    const what = text === name ? `the log has no ${name}` : `${text} needs ${name}, which the log does not have`;
    const fix =
      known.length === 0 ? "this kind of log cannot hold it; judge a recording instead" : `log ${known.join(" or ")}`;
    return { what, fix };
  }

  private use(name: string): Cursor {
    const used = this.cursors.get(name);
    if (used !== undefined) return used;
    const { signal, substitute } = this.find(name)!;
    if (substitute !== undefined) this.notes.add(substitute.note);
    const block = this.layout.find(name);
    const into =
      block === undefined ? this.busCell(name, signal) : this.x.subarray(block.offset, block.offset + block.size);
    const cursor: Cursor = { name, signal, into, of: substitute?.of, next: 0 };
    this.cursors.set(name, cursor);
    return cursor;
  }

  private busCell(name: string, { size }: LoggedSignal): Float64Array {
    this.signals[name] ??= new Float64Array(size);
    return this.signals[name];
  }

  /** Returns a reader that reports when a condition becomes true. It reports nothing at the first sample. */
  private edgeReader(isTrue: () => boolean): EventReader {
    let before: boolean | undefined;
    return () => {
      if (!this.isKnown) return false;
      const now = isTrue();
      const happens = now && before === false;
      before = now;
      return happens;
    };
  }

  private stateLayout(): StateLayout {
    const names = allNames().filter((name) => findNamed(name)?.source.from === "state");
    const blocks = names.flatMap((name) => {
      const size = this.find(name)?.signal.size;
      const { unitName: unit, components } = findNamed(name)!;
      if (size === undefined) return [];
      // Nothing is integrated, so the tolerance is not used.
      const block = {
        name,
        size,
        unit,
        kind: "vector",
        group: "log",
        tolerance: { absolute: 0, relative: 0 },
      } as const;
      return [components === undefined ? block : { ...block, components }];
    });
    return new StateLayout(blocks);
  }

  /** Returns the number of rotors, batteries or buses: the size of any signal that has one value for each. */
  private sizeBy(dim: keyof Dims): number {
    for (const name of Object.keys(SIGNALS) as SignalName[]) {
      if (signalSpec(name).size !== dim) continue;
      const size = this.log.find(name)?.size;
      if (size !== undefined) return size;
    }
    return 0;
  }
}

/** Returns the name of an event, and the signals by which it is recognised. */
function eventNeeds(event: PlainEvent): readonly [text: string, needs: readonly string[]] {
  switch (event.event) {
    case "takeoff":
    case "touchdown":
      return [event.event, MOTION];
    case "arming":
    case "disarming":
      return [event.event, ["armed"]];
    case "missionItem":
      return [`missionItem ${event.item}`, ["missionReached"]];
    case "named":
      return [event.name, []];
  }
}

function advance(cursor: Cursor, tUs: number): void {
  const { timesUs, size, values } = cursor.signal;
  const before = cursor.next;
  while (cursor.next < timesUs.length && timesUs[cursor.next]! <= tUs) cursor.next += 1;
  if (cursor.next === before) return;
  const at = size * (cursor.next - 1);
  const row = values.subarray(at, at + size);
  if (cursor.of === undefined) cursor.into.set(row);
  else cursor.of(row, cursor.into);
}
