/**
 * Names that requirements and measures may use: the quantities, with and without their unit, every signal, and every
 * block of the state.
 */
import { type Dims, hasSignal, SIGNAL_NAMES, type SignalName, signalSpec, sizeOf } from "../signals/table.ts";
import type { StateLayout } from "../state/index.ts";
import { QUANTITY_NAMES, type QuantityName, quantityInfo } from "./table.ts";
import { type Dimension, DIMENSIONLESS, dimensionScale, type Unit, unitOf } from "./units.ts";

/** Where the value of a name comes from. */
type NamedSource =
  | { readonly from: "quantity"; readonly name: QuantityName }
  | { readonly from: "signal"; readonly name: SignalName }
  | { readonly from: "state"; readonly name: string };

/** The meaning of a name. */
export interface NamedValue {
  readonly name: string;
  readonly about: string;
  readonly source: NamedSource;
  /** Number of components; undefined if it depends on the vehicle and no vehicle is known. */
  readonly size: number | undefined;
  /** The dimension of the vehicle that decides the size, e.g. `batteries`. */
  readonly sizedBy?: string;
  readonly components?: readonly string[];
  /** The unit of the stored value; undefined for a flag, code, count or index, which has no margin. */
  readonly unit: Unit | undefined;
  readonly unitName: string;
  /** Names of the codes of a flag or an enumeration. */
  readonly values?: Readonly<Record<string, number>>;
  /** True if the name ends with its unit, so that a number compared with it needs no unit. */
  readonly nameHasUnit: boolean;
  /** A difference of practical importance, in the coherent unit. */
  readonly scale: number;
}

/** Units of flags, codes, masks, counts and indices. */
const NON_PHYSICAL_UNITS = ["flag", "enum", "mask", "count", "index"];

/** Suffixes of names, and their units. */
const SUFFIXES: Readonly<Record<string, string>> = {
  M: "m",
  Mps: "m/s",
  Deg: "deg",
  V: "V",
  S: "s",
  G: "g",
  W: "W",
};

/** Blocks of a multirotor's state, for requirements that are checked before there is a flight. */
const STATE_BLOCKS: readonly { name: string; unit: string; size?: number; components?: readonly string[] }[] = [
  { name: "posNed", unit: "m", size: 3, components: ["n", "e", "d"] },
  { name: "velNed", unit: "m/s", size: 3, components: ["n", "e", "d"] },
  { name: "qBodyToNed", unit: "1", size: 4, components: ["w", "x", "y", "z"] },
  { name: "rateBody", unit: "rad/s", size: 3, components: ["x", "y", "z"] },
  { name: "motorOutput", unit: "1" },
  { name: "motorOutputRate", unit: "1/s" },
  { name: "servoOutput", unit: "1" },
  { name: "servoOutputRate", unit: "1/s" },
  { name: "rotorSpeed", unit: "rad/s" },
  { name: "batterySoc", unit: "1" },
  { name: "batteryV1", unit: "V" },
  { name: "batteryV2", unit: "V" },
  { name: "contactStretch", unit: "m" },
];

/** The flight whose names are looked up; without it, sizes that depend on the vehicle are unknown. */
interface NamedFlight {
  readonly dims: Dims;
  readonly layout: StateLayout;
}

/** Returns e.g. `altitude` for `altitudeM`; the name itself if it does not end with its unit. */
function withoutUnit(name: string): string {
  const [, stem, suffix] = /^(.*?[a-z])(M|Mps|Deg|V|S|G|W)$/.exec(name) ?? [];
  return stem !== undefined && suffix !== undefined && unitOf(SUFFIXES[suffix]!) !== undefined ? stem : name;
}

const ALIASES: ReadonlyMap<string, QuantityName> = new Map(
  QUANTITY_NAMES.filter((name) => withoutUnit(name) !== name).map((name) => [withoutUnit(name), name]),
);

/**
 * Returns the meaning of a name; undefined if it has none. Names are looked up in this order: quantities, signals,
 * quantities without their unit, blocks of the state. The first match counts.
 */
export function findNamed(name: string, flight?: NamedFlight): NamedValue | undefined {
  if ((QUANTITY_NAMES as readonly string[]).includes(name)) return ofQuantity(name as QuantityName, name);
  if (isSignal(name, flight)) return ofSignal(name, flight);
  const alias = ALIASES.get(name);
  if (alias !== undefined) return ofQuantity(alias, name);
  return ofBlock(name, flight);
}

const SIGNAL_INDEX: Readonly<Record<string, true>> = Object.fromEntries(SIGNAL_NAMES.map((name) => [name, true]));

/** Whether a name is a signal that the flight has. */
function isSignal(name: string, flight: NamedFlight | undefined): name is SignalName {
  if (!Object.hasOwn(SIGNAL_INDEX, name)) return false;
  return flight === undefined || hasSignal(signalSpec(name as SignalName), flight.dims);
}

/**
 * Formats one component, counted from 0, of a signal or a block as requirements write it: `posNed.n`, `motorGain[2]`.
 */
export function componentText(name: string, component: number): string {
  const value = Object.hasOwn(SIGNAL_INDEX, name) ? ofSignal(name as SignalName, undefined) : ofBlock(name, undefined);
  if (value?.size === 1) return name;
  const part = value?.components?.[component];
  return part === undefined ? `${name}[${component + 1}]` : `${name}.${part}`;
}

/** Returns all names, for lists and suggestions: quantities first. */
export function allNames(flight?: NamedFlight): string[] {
  const blocks = flight === undefined ? STATE_BLOCKS : flight.layout.blocks;
  const signals = SIGNAL_NAMES.filter((name) => isSignal(name, flight));
  return [...new Set([...ALIASES.keys(), ...QUANTITY_NAMES, ...signals, ...blocks.map(({ name }) => name)])];
}

function ofQuantity(quantity: QuantityName, name: string): NamedValue {
  const { unit, about, scale, signals } = quantityInfo(quantity);
  const [signal] = signals;
  // A quantity that is a code has the values of its signal.
  const values = NON_PHYSICAL_UNITS.includes(unit) && signal !== undefined ? signalSpec(signal).values : undefined;
  const value = named({ name, about, unit, size: 1, source: { from: "quantity", name: quantity } });
  return {
    ...value,
    ...(values === undefined ? {} : { values }),
    nameHasUnit: name === quantity && withoutUnit(name) !== name,
    ...(scale === undefined ? {} : { scale: scale * (unitOf(unit)?.factor ?? 1) }),
  };
}

function ofSignal(name: SignalName, flight: NamedFlight | undefined): NamedValue {
  const spec = signalSpec(name);
  const size = typeof spec.size === "number" ? spec.size : flight === undefined ? undefined : sizeOf(spec, flight.dims);
  return {
    ...named({ name, about: spec.about, unit: spec.unit, size, source: { from: "signal", name } }),
    ...(typeof spec.size === "number" ? {} : { sizedBy: spec.size }),
    ...(spec.components === undefined ? {} : { components: spec.components }),
    ...(spec.values === undefined ? {} : { values: spec.values }),
  };
}

function ofBlock(name: string, flight: NamedFlight | undefined): NamedValue | undefined {
  const blocks: typeof STATE_BLOCKS = flight === undefined ? STATE_BLOCKS : flight.layout.blocks;
  const block = blocks.find((candidate) => candidate.name === name);
  if (block === undefined) return undefined;
  const { unit, size, components } = block;
  return {
    ...named({ name, about: `True state ${name}.`, unit, size, source: { from: "state", name } }),
    ...(components === undefined ? {} : { components }),
  };
}

function named({
  unit: unitName,
  ...rest
}: Pick<NamedValue, "name" | "about" | "size" | "source"> & { readonly unit: string }): NamedValue {
  const unit = NON_PHYSICAL_UNITS.includes(unitName) ? undefined : (unitOf(unitName) ?? unitOf("1")!);
  return { ...rest, unit, unitName, nameHasUnit: false, scale: dimensionScale(dimensionOf(unit)) };
}

function dimensionOf(unit: Unit | undefined): Dimension {
  return unit?.dimension ?? DIMENSIONLESS;
}
