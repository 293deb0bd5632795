/** Bits of the signal `setpointValid`. */
export const VALID = {
  posXy: 1,
  posZ: 2,
  velXy: 4,
  velZ: 8,
  acc: 16,
  yaw: 32,
  yawRate: 64,
  attitude: 128,
  rates: 256,
} as const;
