export * from "./angle.ts";
export * from "./ellipsoid.ts";
export * from "./origin.ts";
export { projectionKinds } from "./projection.ts";
export type { Projection } from "./projection.ts";
export { TangentFrame } from "./tangent-frame.ts";
