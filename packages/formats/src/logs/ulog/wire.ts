/** ULog constants for writer and reader: magic, message types, sync mark, and the keys that Escapement adds. */

export const MAGIC = Uint8Array.of(0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35);
export const FILE_VERSION = 1;
export const HEADER_SIZE = 16;
export const SYNC = Uint8Array.of(0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12);
/** Size (u16) and type before every payload. */
export const MESSAGE_HEADER_SIZE = 3;
export const MAX_PAYLOAD = 0xffff;

export const TYPE = {
  flagBits: 0x42,
  format: 0x46,
  info: 0x49,
  multiInfo: 0x4d,
  parameter: 0x50,
  defaultParameter: 0x51,
  subscription: 0x41,
  unsubscription: 0x52,
  data: 0x44,
  text: 0x4c,
  taggedText: 0x43,
  sync: 0x53,
  dropout: 0x4f,
} as const;

export const FLAG_BITS_SIZE = 40;

/** Added to flight time, because PX4's tools read a time stamp of zero as "never". */
export const TIME_OFFSET_US = 1_000_000;

/** Marks a log as ours: `char[n] sim_name`. */
export const SIM_NAME_KEY = "sim_name";
export const SIM_NAME = "Escapement";
/** Our provenance: `char[n] escapement_<key>`. */
export const PROVENANCE_PREFIX = "escapement_";
/** The last message of a complete log: a checksum of everything before it. */
export const CHECKSUM_KEY = "uint32_t escapement_crc32";
export const CHECKSUM_MESSAGE_SIZE = MESSAGE_HEADER_SIZE + 1 + CHECKSUM_KEY.length + 4;
