/** Volts of a full lithium cell. */
const FULL_CELL_V = 4.2;

/**
 * How many cells in series a pack of that voltage may have. A guess, because a flight describes a pack by its voltage
 * alone: the fewest cells that reach it. A pack that empties may seem to lose one; PX4 acts on voltage and charge.
 */
export function likelyCells(volts: number): number {
  return Math.max(1, Math.ceil(volts / FULL_CELL_V));
}
