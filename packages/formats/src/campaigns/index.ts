export { decodeLine, encodeLine, manifestFrom, rowFrom } from "./lines.ts";
export * from "./row.ts";
