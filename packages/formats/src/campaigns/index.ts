export * from "./comparison.ts";
export { checkedText, decodeLine, encodeLine, manifestFrom, rowFrom, mismatchOf } from "./lines.ts";
export { numberToJson } from "./plain-numbers.ts";
export * from "./row.ts";
export * from "./summary.ts";
export * from "./table.ts";
export * from "./texts.ts";
