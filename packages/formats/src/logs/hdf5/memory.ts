/**
 * Writes HDF5 logs as bytes, for web pages and other environments without files. The library keeps the file in memory,
 * which suits flights of minutes; on Node, `openHdf5File` writes flights of any length.
 */
import { crc32 } from "../../bytes/crc32.ts";
import type { ByteSink } from "../../bytes/byte-sink.ts";
import { logErrors } from "../errors.ts";
import { hdf5End } from "./end.ts";
import { Hdf5Sink, loadHdf5 } from "./sink.ts";
import type { Provenance } from "../rows.ts";

let fileCount = 0;

export async function openHdf5(bytes: ByteSink, provenance: Provenance = {}): Promise<Hdf5Sink> {
  const { library, FS } = await loadHdf5(() => import("h5wasm"));
  fileCount += 1;
  const path = `/writing-${fileCount}.h5`;
  const remove = () => {
    if (FS.analyzePath(path, false).exists) FS.unlink(path);
  };
  return new Hdf5Sink(
    library,
    {
      path,
      async keep() {
        const content = FS.readFile(path, { encoding: "binary" });
        remove();
        await bytes.write(content);
        await bytes.write(hdf5End(crc32(content)));
        await bytes.close();
      },
      async discard() {
        remove();
        await bytes.discard?.();
      },
      toError: (cause) =>
        logErrors.outOfMemory({
          what: "the HDF5 library could not write",
          fix: "log to a file, or to another format",
          cause,
        }),
    },
    provenance,
  );
}
