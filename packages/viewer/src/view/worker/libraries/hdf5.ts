/**
 * Reads HDF5 in pages. The WebAssembly library would need a weaker content security policy, so this file replaces it
 * with a reader in plain JavaScript. It has the part of the library's interface that the log reader uses.
 */
import { File as JsFile } from "jsfive";

/** Files by path, as in the library's file system. */
const files = new Map<string, Uint8Array>();

export const ready = Promise.resolve({
  /** Does nothing, because errors are always thrown. */
  activate_throwing_error_handler() {},
  FS: {
    writeFile: (path: string, bytes: Uint8Array) => void files.set(path, bytes),
    unlink: (path: string) => void files.delete(path),
  },
});

interface Attribute {
  readonly value: unknown;
}

interface Dataset {
  readonly shape: readonly number[];
  readonly attrs: Readonly<Record<string, Attribute>>;
  readonly value: Float64Array;
}

export class File {
  private readonly file: JsFile;

  constructor(path: string) {
    const { buffer, byteOffset, byteLength } = files.get(path)!;
    this.file = new JsFile(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer, path);
  }

  get attrs(): Readonly<Record<string, Attribute>> {
    return attributesOf(this.file.attrs);
  }

  get(name: string): Dataset {
    const dataset = this.file.get(name);
    return {
      shape: dataset.shape,
      attrs: attributesOf(dataset.attrs),
      get value() {
        return Float64Array.from(dataset.value as ArrayLike<number>);
      },
    };
  }

  close(): void {}
}

function attributesOf(attributes: Readonly<Record<string, unknown>>): Record<string, Attribute> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { value }]));
}
