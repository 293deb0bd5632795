/**
 * Bundles a file of the suite as the command is bundled, for a process of its own: a loader that turns index constants
 * into variables makes hot code half again as slow, and would measure itself.
 */
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import configs from "../rolldown.config.ts";

type Config = InputOptions & { readonly output: OutputOptions };
const [command] = configs as unknown as readonly Config[];

export interface BundleOptions {
  readonly root?: string;
  /** False: without code that is made while building, which belongs to this work tree. */
  readonly hasReadyCode?: boolean;
}

/** Writes `entry` of the bench of a work tree, with its chunks, into a folder; returns the file to run. */
export async function bundle(
  entry: string,
  folder: string,
  { root = process.cwd(), hasReadyCode = true }: BundleOptions = {},
): Promise<string> {
  const made = await rolldown({
    input: join(root, "bench", entry),
    cwd: root,
    platform: "node",
    external: [/^node:/, "koffi", /^h5wasm/, "@foxglove/wasm-zstd", "rolldown"],
    resolve: { conditionNames: ["source", "import", "node", "default"] },
    plugins: hasReadyCode ? (command!.plugins ?? []) : [],
    logLevel: "silent",
  });
  const name = entry.replace(/^.*\/|\.ts$/g, "");
  await made.write({ dir: folder, format: "esm", entryFileNames: `${name}.mjs` });
  await made.close();
  return join(folder, `${name}.mjs`);
}

/** Builds the command itself into a folder; returns the file to run. */
export async function bundleCommand(folder: string): Promise<string> {
  const { output, ...input } = command!;
  const made = await rolldown({ ...input, logLevel: "silent" });
  await made.write({ ...output, dir: folder });
  await made.close();
  return join(folder, "escapement.js");
}
