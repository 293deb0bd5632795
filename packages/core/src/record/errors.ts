/** Errors of recordings and replay. */
import { defineErrors } from "../errors/index.ts";

export const recordErrors = defineErrors("RECORD", {
  version: {
    number: 1,
    title: "a recording was written by another version",
    explain:
      "A recording holds its format version and the version of the signal table. Other versions are rejected, because they could be misread.",
  },
  invalid: {
    number: 2,
    title: "a recording contradicts itself",
    explain: "Times must increase, every sample must be at a boundary, and streams must be signals of this version.",
  },
  missingStream: {
    number: 3,
    title: "a recording lacks a stream",
    explain: "To replay a stage, the recording must hold the signals that the stage wrote.",
  },
  beforeFirst: {
    number: 4,
    title: "a time before the first sample of a stream was requested",
    explain: "A stream has no value before its first sample.",
  },
  afterEnd: {
    number: 11,
    title: "a time after the end of the flight was requested",
    explain: "A value is held until the next sample, and the last one until the flight ends.",
  },
  noSample: {
    number: 5,
    title: "a stream has no sample at exactly that time",
    explain: "Exact sampling does not interpolate. Use sampling with hold, or a time at which the stream has a sample.",
  },
  otherState: {
    number: 6,
    title: "a recording belongs to another plant",
    explain: "The blocks of the recorded state and of the plant that should replay it differ in name, size or order.",
  },
  otherDims: {
    number: 7,
    title: "a recording belongs to a vehicle with other dimensions",
    explain:
      "The recorded vehicle and the plant that replays it must have the same numbers of rotors, batteries and electrical buses.",
  },
  missedStart: {
    number: 9,
    title: "a recorder was rewound to a time that it did not record",
    explain:
      "A recording covers a flight from its start. A checkpoint holds the memory of the flight, but not the samples recorded before it.",
  },
  notReflyable: {
    number: 10,
    title: "a recording holds no resolved flight",
    explain:
      "The recording of a flight from a description holds the description, so it can be flown again. A flight assembled in code can be replayed only with its own parts.",
  },
  otherAxis: {
    number: 8,
    title: "a replay source is due at a time at which its stage did not run",
    explain:
      "A replayed stage runs at exactly the boundaries at which it ran when it was recorded. Take the boundaries from the same recording.",
  },
});
