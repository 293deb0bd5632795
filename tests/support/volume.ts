/**
 * Sets the number of cases that a test tries. `npm test` checks every property on a few cases; `npm run test:long` runs
 * the same files again with the full number.
 */
export const isFullVolume = process.env["TEST_VOLUME"] === "full";

export const volume = (quick: number, full: number): number => (isFullVolume ? full : quick);
