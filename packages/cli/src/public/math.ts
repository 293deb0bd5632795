/**
 * `escapement/math`: sines, exponentials, vectors and quaternions with the same bits on every engine. Custom parts
 * that use them instead of `Math` keep a flight reproducible on every engine.
 */
export * from "@escapement/core/math";
