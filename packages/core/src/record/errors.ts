/** Errors of recordings and replay. */
import { defineErrors } from "../errors/index.ts";

export const recordErrors = defineErrors("RECORD", {
  version: {
    number: 1,
    title: "a recording was written by another version",
    explain:
      "Recordings carry a format version and the version of the signal table. A reader refuses others rather than misread them.",
  },
  invalid: {
    number: 2,
    title: "a recording contradicts itself",
    explain:
      "Times must increase, every sample must lie on a worked boundary, and streams must be signals of this version.",
  },
  missingStream: {
    number: 3,
    title: "a recording lacks a stream",
    explain: "Replay of a stage needs the signals that this stage wrote. They were not recorded.",
  },
  beforeFirst: {
    number: 4,
    title: "a stream was asked for a time before its first sample",
    explain: "Held values exist from the first sample on.",
  },
  afterEnd: {
    number: 11,
    title: "a signal was asked for a time after the flight's end",
    explain: "Values are held from one sample to the next, and the last one until the flight ends.",
  },
  noSample: {
    number: 5,
    title: "a stream has no sample at exactly that time",
    explain: "Exact sampling never interpolates; use the hold, or a time of the stream.",
  },
  otherState: {
    number: 6,
    title: "a recording is of another plant",
    explain: "The blocks of the recorded state and of the plant that should replay it differ in name, size or order.",
  },
  otherDims: {
    number: 7,
    title: "a recording is of a vehicle with other dimensions",
    explain: "The number of rotors, batteries and buses of the recording and of the replaying plant must agree.",
  },
  missedStart: {
    number: 9,
    title: "a recorder did not see the beginning of the flight it is rewound to",
    explain:
      "A recording reaches from the start of a flight to its end. A checkpoint holds the flight's memory, not what had been recorded before it.",
  },
  notReflyable: {
    number: 10,
    title: "a recording holds no resolved flight",
    explain:
      "Flights assembled from a description carry it in their recording, so they can be flown again anywhere. One wired by hand replays only with its own parts.",
  },
  otherAxis: {
    number: 8,
    title: "a replay source is due at a time at which its stage did not run",
    explain:
      "A replayed stage speaks at exactly the boundaries at which it spoke when it was recorded. Take the boundaries from the same recording.",
  },
});
