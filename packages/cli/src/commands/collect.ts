/** Values of a flag that may be given again and again, in the order in which they were given. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
