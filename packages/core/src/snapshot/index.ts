export * from "./snapshot.ts";
