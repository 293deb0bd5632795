/** Collects the values of a repeatable flag, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The flag that adds the user's own parts; the same on every command that takes kinds. */
export const WITH_FLAG = ["--with <module>", "add parts of your own from a JavaScript module (repeatable)"] as const;
