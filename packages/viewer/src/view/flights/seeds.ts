/** Flies a flight with other seeds as one sweep, to show how much the outcome depends on chance. */
import type { Store } from "../store/store.ts";

const MAX_FLIGHTS = 24;
const SEED = /^seed\s*=.*$/m;

/** Flies the active flight with the next seeds, one branch each. */
export function flySeeds(store: Store, count: number): Promise<void> {
  const { head, name } = store.state.active.peek() ?? {};
  const { text, files = {}, definition } = head?.peek() ?? {};
  if (text === undefined || definition === undefined || !Number.isInteger(count) || count < 1) return Promise.resolve();
  const seeds = Array.from({ length: Math.min(MAX_FLIGHTS, count) }, (_, i) => definition.seed + 1 + i);
  return store.sweep(
    seeds.map((seed) => ({
      edit: { kind: "text", text: withSeed(text, seed), files },
      name: `${name?.peek() ?? "flight"}, seed ${seed}`,
    })),
  );
}

/** Returns the description with another seed. The key is inserted before the first table. */
export function withSeed(text: string, seed: number): string {
  const firstTable = /^\s*\[/m.exec(text)?.index ?? text.length;
  const [keys, tables] = [text.slice(0, firstTable), text.slice(firstTable)];
  const line = `seed = ${seed}`;
  return SEED.test(keys) ? keys.replace(SEED, line) + tables : `${line}\n${text}`;
}
