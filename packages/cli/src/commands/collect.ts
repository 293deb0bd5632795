/** Values of a flag that may be given again and again, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The flag that adds parts of the user's own, the same on every command that knows kinds. */
export const WITH_FLAG = ["--with <module>", "add parts of your own from a JavaScript module (repeatable)"] as const;
