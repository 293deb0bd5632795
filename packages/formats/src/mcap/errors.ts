/** Errors of recording files. */
import { defineErrors } from "@escapement/core";

export const recordingErrors = defineErrors("RECORDING", {
  notARecording: {
    number: 1,
    title: "a file is not a recording",
    explain: "A recording is an MCAP file with the attachments of Escapement. This file does not have them.",
  },
  damaged: {
    number: 2,
    title: "a recording is damaged",
    explain:
      "A checksum does not match, or the file is inconsistent: bytes changed after it was written. None of its data are used.",
  },
  nothingLeft: {
    number: 3,
    title: "a recording was cut short before its first complete chunk",
    explain:
      "Recordings are written in chunks. This file ends before the end of the first one, so nothing can be recovered.",
  },
  wrongVersion: {
    number: 4,
    title: "a recording was written in a different version of the format",
    explain: "The layout of recordings is versioned. A reader rejects other versions, because it could misread them.",
  },
  rewound: {
    number: 5,
    title: "a flight was rewound while it was being recorded to a file",
    explain: "Data that has been written to a file cannot be removed. Record in memory, or start another recording.",
  },
});
