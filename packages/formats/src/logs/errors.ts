/** Errors of logs: writing rows and reading them back. */
import { defineErrors } from "@escapement/core";

export const logErrors = defineErrors("LOG", {
  notFinite: {
    number: 1,
    title: "a logged value is not a finite number",
    explain:
      "Logs never contain NaN or infinity; a validity flag or an absent column marks a missing value. The source of this value has a defect.",
  },
  badColumn: {
    number: 2,
    title: "a column name is not valid",
    explain:
      "Column names consist of letters, digits, dots and underscores and are unique. time_us is reserved for the time.",
  },
  timeNotIncreasing: {
    number: 3,
    title: "the time of a row is not valid",
    explain:
      "Rows are written at log ticks, in whole, increasing microseconds. A flight that was rewound needs a new log.",
  },
  damaged: {
    number: 4,
    title: "a log is damaged",
    explain:
      "The checksum or the structure of the file is wrong: bytes changed after it was written. None of its values are used.",
  },
  notALog: {
    number: 5,
    title: "a file is not a log of this kind",
    explain: "The first bytes of a file identify the kind of log. The first bytes of this file do not match.",
  },
  wrongVersion: {
    number: 6,
    title: "a log was written in a different version of the format",
    explain: "The layout of logs is versioned. A reader rejects other versions, because it could misread them.",
  },
  noColumns: {
    number: 7,
    title: "a log would be empty",
    explain: "The format of this log cannot store any column of the flight.",
  },
  badProvenance: {
    number: 8,
    title: "a provenance entry is not valid",
    explain:
      "Keys consist of letters, digits, dots, dashes and underscores, and a few are reserved for the format itself.",
  },
  outOfMemory: {
    number: 9,
    title: "a log does not fit into memory",
    explain: "This kind of log is built in memory. Log to a file, or use a kind that is written as a stream.",
  },
  noSuchColumn: {
    number: 10,
    title: "a file has no column or signal of that name",
    explain:
      "Columns have the same names in every log, e.g. pos_ned_n_m. Signals have the names of the simulator, e.g. posNed. Fields of a ULog are named topic.field.",
  },
  noRows: {
    number: 11,
    title: "a log has no rows",
    explain:
      "A row holds all columns at one time. Each topic of a ULog has its own times, so a ULog has no rows; recordings and the other kinds of log do.",
  },
  missingLibrary: {
    number: 12,
    title: "a kind of log needs a package that is not installed",
    explain:
      "HDF5 is written and read by the package h5wasm, an optional dependency. Install it with npm install h5wasm, or use another kind of log.",
  },
});
