export { HeightGravity } from "./gravity.ts";
export type { Gravity, HeightTerms } from "./gravity.ts";
export { gravityKinds } from "./kinds.ts";
