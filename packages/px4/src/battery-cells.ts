/** Voltage of a full lithium cell. */
const FULL_CELL_V = 4.2;

/**
 * Guesses the number of cells in series as the fewest that reach the voltage of the pack, because a flight describes a pack
 * by its voltage alone. As the pack empties, the guess may drop by one. That does no harm, because PX4 acts on voltage and
 * charge.
 */
export function likelyCells(volts: number): number {
  return Math.max(1, Math.ceil(volts / FULL_CELL_V));
}
