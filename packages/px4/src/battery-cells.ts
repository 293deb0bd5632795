/** Voltage of a full lithium cell. */
const FULL_CELL_V = 4.2;

/**
 * Guesses the number of cells in series, because a flight describes a pack only by its voltage: the smallest number
 * that can reach the voltage. As the pack empties, the guess may decrease by one. This has no effect, because PX4 uses
 * only voltage and charge.
 */
export function guessCellCount(volts: number): number {
  return Math.max(1, Math.ceil(volts / FULL_CELL_V));
}
