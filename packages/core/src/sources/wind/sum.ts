/**
 * Several winds at once: a list of parts for each kind, added in a fixed order whatever the order they were written in.
 *
 * Steady parts (constant, shear) speak first; their sum is the mean wind that carries the turbulence of the others past
 * the vehicle. Every part has streams of its own name, so adding one never moves the dice of another.
 */
import { defineKind } from "../../params/index.ts";
import type { Kind } from "../../params/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { constant } from "./constant.ts";
import { dryden } from "./dryden.ts";
import { gust } from "./gust.ts";
import { ou } from "./ou.ts";
import { shear } from "./shear.ts";
import { vonKarman } from "./von-karman.ts";
import type { WindContext, WindModel, WindSight } from "./wind-model.ts";

type WindKind = Kind<WindModel, WindContext>;

const STEADY: readonly (readonly [key: string, kind: WindKind])[] = [
  ["constant", constant],
  ["shear", shear],
];
const UNSTEADY: readonly (readonly [key: string, kind: WindKind])[] = [
  ["gust", gust],
  ["ou", ou],
  ["dryden", dryden],
  ["vonKarman", vonKarman],
];

/** Parts of each kind, as lists of tables: `[[wind.gust]]`. */
const params = Object.fromEntries(
  [...STEADY, ...UNSTEADY].map(([key, kind]) => [
    key,
    {
      type: "sections",
      table: kind.params,
      default: [],
      maxLength: 16,
      about: `Parts of kind "${kind.name}": ${kind.about}`,
    },
  ]),
) as unknown as PartTables;

type PartTable<K extends WindKind> = { readonly type: "sections"; readonly table: K["params"]; readonly about: string };

type PartTables = {
  readonly constant: PartTable<typeof constant>;
  readonly shear: PartTable<typeof shear>;
  readonly gust: PartTable<typeof gust>;
  readonly ou: PartTable<typeof ou>;
  readonly dryden: PartTable<typeof dryden>;
  readonly vonKarman: PartTable<typeof vonKarman>;
};

type PartLists = Readonly<Record<string, readonly never[]>>;

class WindSum implements WindModel {
  private readonly steady: readonly WindModel[];
  private readonly unsteady: readonly WindModel[];
  private readonly part = new Float64Array(3);
  private readonly mean = new Float64Array(3);
  private seen: WindSight | undefined;
  private carried: WindSight | undefined;

  constructor(lists: PartLists, context: WindContext) {
    const build = (kinds: typeof STEADY) =>
      kinds.flatMap(([key, kind]) =>
        lists[key]!.map((given, i) =>
          kind.make(given, { ...context, stream: `${context.stream ?? "wind"}/${key}${i + 1}` }),
        ),
      );
    this.steady = build(STEADY);
    this.unsteady = build(UNSTEADY);
  }

  sampleInto(windNed: Float64Array, sight: WindSight): void {
    const { part, mean } = this;
    for (let i = 0; i < 3; i += 1) mean[i] = 0;
    for (let k = 0; k < this.steady.length; k += 1) {
      this.steady[k]!.sampleInto(part, sight);
      for (let i = 0; i < 3; i += 1) mean[i]! += part[i]!;
    }
    for (let i = 0; i < 3; i += 1) windNed[i] = mean[i]!;
    for (let i = 0; i < 3; i += 1) mean[i]! += sight.meanNed[i]!;
    const carried = this.carriedBy(sight);
    for (let k = 0; k < this.unsteady.length; k += 1) {
      this.unsteady[k]!.sampleInto(part, carried);
      for (let i = 0; i < 3; i += 1) windNed[i]! += part[i]!;
    }
  }

  save(writer: SnapshotWriter): void {
    for (const model of this.unsteady) model.save(writer);
  }

  load(reader: SnapshotReader): void {
    for (const model of this.unsteady) model.load(reader);
  }

  /** The same sight with our mean wind; made once a sight, which is once a flight. */
  private carriedBy(sight: WindSight): WindSight {
    if (this.seen !== sight) {
      this.seen = sight;
      this.carried = { clock: sight.clock, posNed: sight.posNed, velNed: sight.velNed, meanNed: this.mean };
    }
    return this.carried!;
  }
}

export const sum = defineKind({
  name: "sum",
  about: "Several winds at once: steady parts, gusts and turbulence added.",
  version: 1,
  params,
  make: (lists, context: WindContext): WindModel => new WindSum(lists as unknown as PartLists, context),
});
