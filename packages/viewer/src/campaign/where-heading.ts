/** The heading of the scatter plot. It mentions violations only if there are any. */

interface ViolationCounts {
  readonly requirements: readonly { readonly flights: { readonly violated: number } }[];
}

export function whereHeading({ requirements }: ViolationCounts): string {
  if (requirements.length === 0) return "All flights";
  return requirements.some(({ flights }) => flights.violated > 0)
    ? "Where requirements are violated"
    : "Where margins are smallest";
}
