/**
 * What can be wrong with a file as such, before anybody asks what it means: with its text, or with the disk.
 * Shared by everything that reads or writes files, so that one mistake has one code whatever file it is in.
 */
import { defineErrors } from "@escapement/core";

export const fileErrors = defineErrors("FILE", {
  notText: {
    number: 1,
    title: "a file is not text",
    explain: "Flight, mission and parameter files are UTF-8 text. This one holds bytes that no text has.",
  },
  tooLarge: {
    number: 2,
    title: "a file is absurdly large",
    explain: "A description of a flight is a page or two; a megabyte of it is a wrong file.",
  },
  tooDeep: {
    number: 3,
    title: "a file is nested absurdly deep",
    explain: "Tables within tables beyond 32 levels are a generated or broken file.",
  },
  syntax: {
    number: 4,
    title: "a file breaks the rules of its language",
    explain: "The text is not valid TOML or JSON at the place named.",
  },
  wrongHeader: {
    number: 5,
    title: "a file is of another kind than expected",
    explain: "The first line, or the key that names the kind, does not say what this reader reads.",
  },
  wrongVersion: {
    number: 6,
    title: "a file has a version that is not read here",
    explain: "The kind of file is right, its version is not. Save it again with a newer or older tool.",
  },
  wrongColumns: {
    number: 7,
    title: "a line has too few or too many columns",
    explain: "Every line of a table has the same number of columns.",
  },
  notNumber: {
    number: 8,
    title: "a number is not a number",
    explain: "Numbers are written with a decimal point, without units or thousands separators.",
  },
  wrongType: {
    number: 9,
    title: "a value is of the wrong type",
    explain: "A list, a table, a text, a number or a switch was expected where something else stands.",
  },
  missingKey: {
    number: 10,
    title: "a key is missing",
    explain: "The file cannot be understood without this key.",
  },
  duplicate: {
    number: 11,
    title: "something is given twice",
    explain: "The same name with two values has no meaning: one of them would be lost silently.",
  },
  unsupported: {
    number: 12,
    title: "a file asks for something that is not supported",
    explain: "The file is valid, but holds a part that cannot be flown here.",
  },
  unknownKind: {
    number: 13,
    title: "a file of an unknown kind",
    explain: "The kind is told by the end of the name and by the first bytes; neither is known.",
  },
  wrongOrder: {
    number: 14,
    title: "items are not numbered in order",
    explain: "Mission items are numbered from 0 without gaps. A gap means that lines were lost.",
  },
  ignored: {
    number: 15,
    title: "a part of a file is not used",
    explain: "A warning: the file says something that this simulator leaves out.",
  },
  homeDropped: {
    number: 16,
    title: "the first mission item is the home position",
    explain:
      "A warning: some ground stations store home as item 0. PX4 does not; the item became the planned home, and jumps were renumbered.",
  },
  exists: {
    number: 20,
    title: "a file is there already",
    explain:
      "Files are created anew, so that nothing is overwritten unasked and two flights never write into one file.",
  },
  noSpace: {
    number: 21,
    title: "there is no room left for a file",
    explain:
      "The disk, the quota or the permitted size of a file is used up. What was written before is kept and readable.",
  },
  writeFailed: {
    number: 22,
    title: "a file could not be written",
    explain: "The operating system reported a failure. What was written before is kept.",
  },
  notFound: {
    number: 23,
    title: "a file or folder is not there",
    explain: "The path leads nowhere.",
  },
  notAllowed: {
    number: 24,
    title: "a file may not be written",
    explain: "The folder or the file is protected, or the name is that of a folder.",
  },
});
