/** Type tests of the contracts: rows are plain JSON, and a search has all members of a plan except `count`. */
import type { Distribution, Plan, Row, RowVerdict, Search, VariedValue, VerdictWord } from "./contracts.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

export const row = (given: Plain<Row>): Json => given;
export const verdict = (given: Plain<RowVerdict>): Json => given;
export const word = (given: VerdictWord): RowVerdict["verdict"] => given;
export const points = (given: Search): Omit<Plan, "count"> => given;
export const value = (given: Distribution): VariedValue => given.valueAt(0.5);
