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
    explain:
      "Times must increase, every sample must be at a boundary, and every stream must be a signal that this version of Escapement defines.",
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
    explain:
      "Exact sampling returns only a sample that was recorded at exactly that time. Use zero-order hold, or a time at which the stream has a sample.",
  },
  otherState: {
    number: 6,
    title: "a recording belongs to another plant",
    explain: "The blocks of the recorded state and of the plant that should replay it differ in name, size or order.",
  },
  otherDims: {
    number: 7,
    title: "a recording belongs to a vehicle with other numbers of rotors, batteries or buses",
    explain:
      "The recorded vehicle and the plant that replays it must have the same numbers of rotors, batteries and electrical buses.",
  },
  missedStart: {
    number: 9,
    title: "a recorder was rewound to a time that it did not record",
    explain:
      "A recording must cover a flight from its start. A checkpoint restores the state of the flight, but not its earlier samples, so the recorder must have recorded them itself.",
  },
  notReflyable: {
    number: 10,
    title: "a recording holds no definition",
    explain:
      "A recording holds the definition of a flight that was made from a description, so that flight can be flown again. A flight assembled in code has no definition; replay it with the parts with which it was flown.",
  },
  dueAtOtherTime: {
    number: 8,
    title: "a replay source is due at a time at which its stage did not run",
    explain:
      "A replayed stage runs at exactly the boundaries at which it ran when it was recorded. Take the boundaries from the same recording.",
  },
});
