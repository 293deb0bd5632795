/**
 * A sum of several winds: lists of parts by kind, added in the order of the kinds, not in the order of the file.
 *
 * Steady parts are sampled first; their sum, plus the mean wind of the input, carries the turbulence of the other parts
 * past the vehicle. Every part has its own random streams, named by kind and position in its list. So appending a part
 * to a list does not change the random numbers of the others.
 */
import { defineKind } from "../../params/index.ts";
import type { Kind } from "../../params/index.ts";
import { sections } from "../../params/rows.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import type { WindContext, WindInput, WindModel } from "./wind-model.ts";

type WindKind = Kind<WindModel, WindContext>;
type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
type PartTables<K extends WindKind> = {
  readonly [P in K as CamelCase<P["name"]>]: {
    readonly type: "sections";
    readonly table: P["params"];
    readonly about: string;
  };
};
type PartLists = Readonly<Record<string, readonly never[]>>;

/** Returns the key of a kind's list of parts, e.g. `vonKarman` for `von-karman`. */
function keyOf({ name }: WindKind): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Makes the kind whose parameters are lists of parts, as in `[[wind.gust]]`. */
export function sumOf<const K extends WindKind>(kinds: readonly K[]) {
  const params = Object.fromEntries(
    kinds.map((kind) => [
      keyOf(kind),
      sections(kind.params, { maxLength: 16 }, `Parts of kind "${kind.name}": ${kind.about}`, []),
    ]),
  ) as unknown as PartTables<K>;
  return defineKind({
    name: "sum",
    about: "Several winds at once: steady parts, gusts and turbulence added.",
    version: 1,
    params,
    make: (lists, context: WindContext): WindModel =>
      new WindSum(
        kinds.flatMap((kind) =>
          (lists as unknown as PartLists)[keyOf(kind)]!.map((given, i) =>
            kind.make(given, { ...context, stream: `${context.stream ?? "wind"}/${keyOf(kind)}${i + 1}` }),
          ),
        ),
      ),
  });
}

class WindSum extends PartWithMemory implements WindModel {
  private readonly steady: readonly WindModel[];
  private readonly unsteady: readonly WindModel[];
  private readonly part = new Float64Array(3);
  private readonly mean = new Float64Array(3);
  protected readonly memory;
  private lastInput: WindInput | undefined;
  private withMean: WindInput | undefined;

  constructor(parts: readonly WindModel[]) {
    super();
    this.steady = parts.filter(({ isSteady }) => isSteady === true);
    this.unsteady = parts.filter(({ isSteady }) => isSteady !== true);
    this.memory = [this.steady, this.unsteady];
  }

  sampleInto(windNed: Float64Array, input: WindInput): void {
    const { part, mean } = this;
    for (let i = 0; i < 3; i += 1) mean[i] = 0;
    for (let k = 0; k < this.steady.length; k += 1) {
      this.steady[k]!.sampleInto(part, input);
      for (let i = 0; i < 3; i += 1) mean[i]! += part[i]!;
    }
    for (let i = 0; i < 3; i += 1) windNed[i] = mean[i]!;
    for (let i = 0; i < 3; i += 1) mean[i]! += input.meanNed[i]!;
    const withMean = this.inputWithMean(input);
    for (let k = 0; k < this.unsteady.length; k += 1) {
      this.unsteady[k]!.sampleInto(part, withMean);
      for (let i = 0; i < 3; i += 1) windNed[i]! += part[i]!;
    }
  }

  addGustRate(gustRateNed: Float64Array): void {
    for (let k = 0; k < this.unsteady.length; k += 1) this.unsteady[k]!.addGustRate?.(gustRateNed);
  }

  /**
   * Returns the inputs of the unsteady parts, with the mean wind of this sum. The object is reused while the source
   * passes the same inputs, which it does at every tick.
   */
  private inputWithMean(input: WindInput): WindInput {
    if (this.lastInput !== input) {
      this.lastInput = input;
      this.withMean = { clock: input.clock, posNed: input.posNed, velNed: input.velNed, meanNed: this.mean };
    }
    return this.withMean!;
  }
}
