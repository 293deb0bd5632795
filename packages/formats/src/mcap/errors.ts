/** Errors of recordings as files. */
import { defineErrors } from "@escapement/core";

export const recordingErrors = defineErrors("RECORDING", {
  notARecording: {
    number: 1,
    title: "a file is not a recording",
    explain:
      "The first bytes of a recording are those of MCAP, and its attachments those of Escapement. These are not.",
  },
  damaged: {
    number: 2,
    title: "a recording differs from what was written",
    explain:
      "A checksum does not fit, or the file contradicts itself: bytes were changed after it was written. Nothing of it is trusted.",
  },
  nothingLeft: {
    number: 3,
    title: "a recording was cut short before its first chunk",
    explain:
      "Recordings are written in chunks. This file ends before the first one was whole, so there is nothing to recover.",
  },
  wrongVersion: {
    number: 4,
    title: "a recording was written by another version",
    explain: "The layout of recordings is versioned; a reader refuses others rather than misread them.",
  },
  rewound: {
    number: 5,
    title: "a flight was rewound while it was being recorded to a file",
    explain: "What has been written to a file cannot be taken back. Record in memory, or start another recording.",
  },
});
