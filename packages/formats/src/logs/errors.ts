/** Errors of logs: writing rows, reading them back. */
import { defineErrors } from "@escapement/core";

export const logErrors = defineErrors("LOG", {
  notFinite: {
    number: 1,
    title: "a value to be logged is not a number",
    explain:
      "Files never hold NaN or infinity: a missing value is a validity flag or an absent column. Something upstream is wrong.",
  },
  badColumn: {
    number: 2,
    title: "a column cannot be logged under its name",
    explain: "Column names are letters, digits, dots and underscores, each given once, with time_us kept for the time.",
  },
  timeNotIncreasing: {
    number: 3,
    title: "a log row has no time that a log can hold",
    explain:
      "Rows are written at log ticks: whole microseconds, which increase. A flight that was rewound needs a new log.",
  },
  damaged: {
    number: 4,
    title: "a log differs from what was written",
    explain:
      "The checksum or the structure of the file is wrong: bytes were changed after it was written. Nothing of it is trusted.",
  },
  notALog: {
    number: 5,
    title: "a file is not a log of the kind asked for",
    explain: "The first bytes of a log say what it is. These do not.",
  },
  wrongVersion: {
    number: 6,
    title: "a log was written by another version",
    explain: "The layout of logs is versioned; a reader refuses others rather than misread them.",
  },
  noColumns: {
    number: 7,
    title: "a log has nothing to hold",
    explain: "None of the columns of this flight is known to the log's format.",
  },
  badProvenance: {
    number: 8,
    title: "a line of provenance cannot be written",
    explain: "Keys are letters, digits, dots, dashes and underscores, and a few are kept for the format itself.",
  },
  outOfMemory: {
    number: 9,
    title: "a log has outgrown the memory",
    explain:
      "Some formats are built in memory before they are handed over. Log to a file, or to a format that streams.",
  },
  noSuchColumn: {
    number: 10,
    title: "a file has no series of that name",
    explain:
      "Columns are named as in every log, e.g. pos_ned_n_m; signals as in the simulator, e.g. posNed; fields of a ULog as topic.field.",
  },
  noRows: {
    number: 11,
    title: "a log cannot be turned into rows",
    explain:
      "The topics of a ULog are written each at its own times. Rows of one instant are in a recording and in the other logs.",
  },
  missingLibrary: {
    number: 12,
    title: "a kind of log needs a package that is not installed",
    explain:
      "HDF5 is written and read by the package h5wasm, an optional dependency. Install it with npm install h5wasm, or use another kind of log.",
  },
});
