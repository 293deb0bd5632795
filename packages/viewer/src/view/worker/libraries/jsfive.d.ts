/** Types of the part of jsfive that is used here; jsfive itself has none. */
declare module "jsfive" {
  export class File {
    constructor(content: ArrayBuffer, name: string);
    readonly attrs: Readonly<Record<string, unknown>>;
    get(path: string): {
      readonly value: unknown;
      readonly shape: readonly number[];
      readonly attrs: Readonly<Record<string, unknown>>;
    };
  }
}
