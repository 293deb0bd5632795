/**
 * `escapement/math`: sines, exponentials, vectors and quaternions with the same bits on every engine. Parts of your own
 * that use them instead of `Math` keep a flight reproducible everywhere.
 */
export * from "@escapement/core/math";
