export { gravityKinds } from "./kinds.ts";
