/** Errors of the snapshot folder. */
import { defineErrors } from "../errors/index.ts";

export const snapshotErrors = defineErrors("SNAPSHOT", {
  mismatch: {
    number: 1,
    title: "a checkpoint does not fit the flight it is loaded into",
    explain:
      "A checkpoint holds the memory of every part of a flight, by name. It can be loaded only into a flight that the same version assembled from the same resolved description.",
  },
});
