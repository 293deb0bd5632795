/** The part of jsfive that tests use; it comes without types. */
declare module "jsfive" {
  export class File {
    constructor(content: ArrayBuffer, name: string);
    readonly attrs: Readonly<Record<string, unknown>>;
    get(path: string): { readonly value: unknown; readonly attrs: Readonly<Record<string, unknown>> };
  }
}
