/** Compares Zstandard in pages with the library that writes recordings elsewhere. */
import * as library from "@foxglove/wasm-zstd";
import { beforeAll, describe, expect, it } from "vitest";
import { compress, decompress, isLoaded } from "./zstd.ts";

beforeAll(async () => {
  await Promise.all([isLoaded, library.isLoaded]);
});

const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 2_654_435_761) >>> 13);

describe("Zstandard in a page", () => {
  it.each([0, 1, 1000, 131_072, 131_073, 400_000])(
    "exchanges %i bytes with the library in both directions",
    (length) => {
      const bytes = noise(length);
      expect(Buffer.compare(library.decompress(compress(bytes), Math.max(1, length)), bytes)).toBe(0);
      expect(Buffer.compare(decompress(new Uint8Array(library.compress(bytes, 1)), length), bytes)).toBe(0);
    },
  );
});
