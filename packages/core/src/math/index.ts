// The mathematical functions of the core: pure arithmetic that gives the same bits on every engine (L9 in
// docs/contract.md).

export { cos, sin, sinCosInPlace, sinCosInto, tan } from "./trig.ts";
export { acos, asin, atan, atan2, atan2InPlace } from "./inverse-trig.ts";
export { exp, expm1 } from "./exp.ts";
export { log, logInPlace } from "./log.ts";
export { pow } from "./pow.ts";
export { wrapPi } from "./angle.ts";
export * from "./vec3.ts";
export * from "./quat.ts";
export * from "./attitude.ts";
