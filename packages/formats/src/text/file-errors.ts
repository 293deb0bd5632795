/**
 * Errors common to all files: their text and syntax, and the operating system.
 * All readers and writers of files share them, so that the same error has the same code in every kind of file.
 */
import { defineErrors } from "@escapement/core";

export const fileErrors = defineErrors("FILE", {
  notText: {
    number: 1,
    title: "a file is not text",
    explain: "Flight, mission and parameter files are UTF-8 text. This file contains bytes that are not valid UTF-8.",
  },
  tooLarge: {
    number: 2,
    title: "a file is too large",
    explain: "A flight description is a page or two long. A file of more than a megabyte is probably the wrong file.",
  },
  tooDeep: {
    number: 3,
    title: "a file is nested too deeply",
    explain: "More than 32 levels of nesting indicate a generated or broken file.",
  },
  syntax: {
    number: 4,
    title: "a file has a syntax error",
    explain: "The text is not valid TOML or JSON at the given position.",
  },
  wrongHeader: {
    number: 5,
    title: "a file is not of the expected kind",
    explain: "The first line, or the key that names the kind of file, does not match.",
  },
  wrongVersion: {
    number: 6,
    title: "a file has an unsupported version",
    explain:
      "The kind of file is supported, but its version is not. Save the file again with a different version of the tool.",
  },
  wrongColumns: {
    number: 7,
    title: "a line has too few or too many columns",
    explain: "Every line of a table has the same number of columns.",
  },
  notNumber: {
    number: 8,
    title: "a value is not a number",
    explain: "Numbers are written with a decimal point, without units or thousands separators.",
  },
  wrongType: {
    number: 9,
    title: "a value is of the wrong type",
    explain: "The value is not of the expected type: list, table, text, number or boolean.",
  },
  missingKey: {
    number: 10,
    title: "a key is missing",
    explain: "The file cannot be understood without this key.",
  },
  duplicate: {
    number: 11,
    title: "a name is given twice",
    explain: "A name with two values is ambiguous, and one of the values would be lost.",
  },
  unsupported: {
    number: 12,
    title: "a file uses a feature that is not supported",
    explain: "The file is valid, but this simulator does not support one of its features.",
  },
  unknownKind: {
    number: 13,
    title: "a file is of an unknown kind",
    explain: "Neither the file extension nor the first bytes belong to a known kind of file.",
  },
  wrongOrder: {
    number: 14,
    title: "items are not numbered in order",
    explain: "Mission items are numbered from 0 without gaps. A gap means that lines were lost.",
  },
  ignored: {
    number: 15,
    title: "a part of a file is not used",
    explain: "This is a warning. The file contains something that this simulator does not use.",
  },
  homeDropped: {
    number: 16,
    title: "the first mission item is the home position",
    explain:
      "This is a warning. Some ground stations store home as item 0. PX4 does not, so the item becomes the planned home, and jumps are renumbered.",
  },
  exists: {
    number: 20,
    title: "a file already exists",
    explain: "Existing files are overwritten only on request, and two flights never write to the same file.",
  },
  noSpace: {
    number: 21,
    title: "no space is left for a file",
    explain:
      "The disk is full, or the quota or the limit on file sizes is reached. The part written before is kept and readable.",
  },
  writeFailed: {
    number: 22,
    title: "a file could not be written",
    explain: "The operating system reported a failure. The part written before is kept.",
  },
  notFound: {
    number: 23,
    title: "a file or folder does not exist",
    explain: "The path does not name an existing file or folder.",
  },
  notAllowed: {
    number: 24,
    title: "a file cannot be written",
    explain: "The folder or the file is protected, or the path names a folder.",
  },
  unpacksTooLarge: {
    number: 25,
    title: "a file unpacks to more data than the reader allows",
    explain:
      "A small file can claim, or unpack to, more data than fits into memory. By default a file may unpack to 128 MiB or 64 times its size, whichever is more. If you trust the file, raise the limit with --read-limit, or `maxBytes` in scripts.",
  },
});
