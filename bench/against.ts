/**
 * This work tree against another commit: the rows of right-hand side, integrators and engine, in processes that take turns.
 *
 * The other commit is checked out into a work tree of its own, with the bench of this one, so that both are measured
 * alike; neither has code that was made while building.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import type { Reading } from "./rows/row.ts";
import { runJson } from "./run-json.ts";
import { withFolder, yardstickVariables } from "./suite.ts";

const GROUPS = ["steps", "engine"];

export interface AgainstOptions {
  readonly ref: string;
  readonly processes: number;
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
}

/** Does something with a work tree of the commit. */
async function withWorkTree<T>(ref: string, work: (root: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
  const root = join(folder, "tree");
  execFileSync("git", ["worktree", "add", "--detach", root, ref], { stdio: "pipe" });
  try {
    rmSync(join(root, "bench"), { recursive: true, force: true });
    cpSync("bench", join(root, "bench"), { recursive: true });
    if (!existsSync(join(root, "node_modules")))
      symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    return await work(root);
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", root], { stdio: "pipe" });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The best of each row, here and there. */
export async function against({ ref, processes, isQuick, say }: AgainstOptions): Promise<string[]> {
  return withFolder((folder) =>
    withWorkTree(ref, async (root) => {
      const variables = yardstickVariables(folder);
      const made = (name: string, from: string) =>
        bundle("process.ts", join(folder, name), { root: from, hasReadyCode: false });
      const sides = [
        { name: "here", file: await made("here", process.cwd()), best: new Map<string, Reading>() },
        { name: ref, file: await made("there", root), best: new Map<string, Reading>() },
      ];
      for (let i = 0; i < processes; i += 1) {
        for (const { name, file, best } of i % 2 === 0 ? sides : [...sides].reverse()) {
          for (const group of GROUPS) {
            say(`process ${i + 1} of ${processes}: ${group}, ${name}`);
            for (const reading of runJson<Reading[]>(file, [group, isQuick ? "quick" : "full"], { variables })) {
              const known = best.get(reading.row);
              if (known === undefined || reading.value < known.value) best.set(reading.row, reading);
            }
          }
        }
      }
      return compared(sides[0]!.best, sides[1]!.best, ref);
    }),
  );
}

function compared(here: ReadonlyMap<string, Reading>, there: ReadonlyMap<string, Reading>, ref: string): string[] {
  const width = Math.max(...[...here.keys()].map((name) => name.length));
  const head = `${"row".padEnd(width)}  ${"here".padStart(8)}  ${ref.slice(0, 12).padStart(12)}  here/there`;
  const rows = [...here].flatMap(([name, { value }]) => {
    const other = there.get(name);
    if (other === undefined) return [];
    const ns = (each: number, size: number) => `${each.toFixed(0)} ns`.padStart(size);
    return [`${name.padEnd(width)}  ${ns(value, 8)}  ${ns(other.value, 12)}  ${(value / other.value).toFixed(2)}`];
  });
  return [head, ...rows];
}
