/** The heading of the scatter plot. It must not say that something breaks if every requirement holds. */

interface ViolationCounts {
  readonly requirements: readonly { readonly flights: { readonly violated: number } }[];
}

export function whereHeading({ requirements }: ViolationCounts): string {
  if (requirements.length === 0) return "All flights";
  return requirements.some(({ flights }) => flights.violated > 0) ? "Where it breaks" : "Where the margins are least";
}
