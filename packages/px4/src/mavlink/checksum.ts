/**
 * Computes MAVLink's checksum: CRC-16/MCRF4XX (X.25 polynomial, start 0xFFFF, reflected, no final inversion).
 *
 * It is table-driven. `canEndIn` uses the same table to check whether a frame of an unknown message can be genuine.
 */
const TABLE = makeTable();
const IMAGE = new Set(TABLE);

export const CRC_START = 0xffff;

function makeTable(): Uint16Array {
  const table = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
    table[byte] = crc;
  }
  return table;
}

export function crcByte(crc: number, byte: number): number {
  return (crc >> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
}

/** Computes the checksum of `bytes[from, to)`, continuing from `crc`. */
export function crcOver(bytes: Uint8Array, from: number, to: number, crc = CRC_START): number {
  for (let i = from; i < to; i += 1) crc = (crc >> 8) ^ TABLE[(crc ^ bytes[i]!) & 0xff]!;
  return crc;
}

/**
 * Returns true if there is a value of `crc_extra` with which `crc` becomes `received`. The last step is `(crc >> 8) ^
 * TABLE[…]` with 256 possible table entries, so only one in 256 received values passes. That is enough to skip an
 * unknown message as a whole instead of searching its payload for frames.
 */
export function canEndIn(crc: number, received: number): boolean {
  return IMAGE.has((crc >> 8) ^ received);
}
