/** Errors of the snapshot folder. */
import { defineErrors } from "../errors/index.ts";

export const snapshotErrors = defineErrors("SNAPSHOT", {
  mismatch: {
    number: 1,
    title: "a checkpoint does not fit the flight it is loaded into",
    explain:
      "A checkpoint holds the memory of every part of a flight, by name. It can be loaded only into a flight that the same version assembled from the same resolved description.",
  },
  otherFlight: {
    number: 2,
    title: "a checkpoint belongs to another flight",
    explain:
      "A checkpoint names its flight by the hash of the definition. A flight with another seed, mass or event has another hash, even if its memory has the same layout. To continue with changes, branch the flight: a branch is a description with other events from an instant on.",
  },
});
