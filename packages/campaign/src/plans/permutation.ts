/**
 * A pseudo-random permutation of 0 … n − 1 by index, without a table: a Feistel network over the smallest even number
 * of bits that covers n, applied repeatedly until the result is below n (J. Black, P. Rogaway: Ciphers with arbitrary
 * finite domains, 2002). Its round functions are draws of a named random stream.
 */
import type { NumberedDraws } from "./context.ts";

const ROUNDS = 6;

export class Permutation {
  private readonly draws: NumberedDraws;
  private readonly size: number;
  private readonly half: number;

  /** @param size at most 2^32 */
  constructor(draws: NumberedDraws, size: number) {
    this.draws = draws;
    this.size = size;
    this.half = 1;
    while (this.half * this.half < size) this.half *= 2;
  }

  at(index: number): number {
    let value = index;
    do value = this.encrypt(value);
    while (value >= this.size);
    return value;
  }

  private encrypt(value: number): number {
    const { half } = this;
    let left = Math.floor(value / half);
    let right = value % half;
    for (let round = 0; round < ROUNDS; round += 1) {
      const mask = Math.floor(half * this.draws.at(round * half + right));
      [left, right] = [right, left ^ mask];
    }
    return left * half + right;
  }
}
