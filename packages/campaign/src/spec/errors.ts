/** Errors of campaigns: their files, journals and fleets. */
import { defineErrors } from "@escapement/core";

export const campaignErrors = defineErrors("CAMPAIGN", {
  refused: {
    number: 1,
    title: "the campaign has errors",
    explain: "The message lists every error with its location and its fix. Nothing was flown.",
  },
  badVary: {
    number: 2,
    title: "a key cannot be varied",
    explain:
      "`vary` takes keys of the flight, as in `--set`: `wind.w20Mps`, `vehicle.batteries[0].soc`, `scenario.engineOut.at`. `timeline.logPeriodS` cannot be varied, because every log tick is a boundary, so flights with different log periods are not comparable. Keys of `outputs` cannot be varied, because they do not affect the flight.",
  },
  pointRefused: {
    number: 3,
    title: "some varied values do not make a valid flight",
    explain:
      "`escapement check` and the start of a campaign resolve both ends of every range, with the other keys in the middle of theirs, and the first flights. Invalid values are never clipped: narrow the range. A flight that is refused later becomes a row with the outcome `refused`.",
  },
  otherJournal: {
    number: 4,
    title: "the folder holds the journal of another campaign",
    explain:
      "A journal belongs to one campaign, one build of the program and one set of requirements. Rows of different campaigns, builds or requirements are never mixed. `--fresh` sets the old journal aside and starts again; `-o` chooses another folder.",
  },
  badJournal: {
    number: 5,
    title: "a journal cannot be read",
    explain:
      "The first line of `journal.ndjson` is a manifest, and every further line a row with a checksum. A torn last line is normal after the process was killed, and is removed. Anything else means that the file was changed or is not a journal.",
  },
  inUse: {
    number: 6,
    title: "another process already runs this campaign",
    explain: "Two coordinators must not write to one journal. To share the work, use `--shard` or `--fleet`.",
  },
  notMergeable: {
    number: 7,
    title: "parts of a campaign do not fit together",
    explain:
      "`merge` takes parts of one campaign that the same build flew, judged by the same requirements. It also rejects two different rows of one flight, because a flight always gives the same row.",
  },
  noSuchFlight: {
    number: 8,
    title: "the campaign has no flight with that number",
    explain:
      "Flights are numbered from 0. Flights of a search are known only after they have been flown; their numbers are in the journal of its folder.",
  },
  missingPackage: {
    number: 9,
    title: "an optional package is not installed",
    explain:
      "`--fleet redis://…` needs the packages bullmq and ioredis, `--store s3://…` needs aws4fetch, and `escapement/vitest` needs vitest. They are optional peer dependencies: everything else works without them.",
  },
  queueServer: {
    number: 10,
    title: "the queue server cannot be used",
    explain:
      "The coordinator and the workers communicate through a Redis or Valkey server. It must be reachable and must not evict keys (`maxmemory-policy noeviction`). It may be restarted or emptied at any time: rows are in the coordinator's journal, and lost jobs are queued again.",
  },
  otherBuild: {
    number: 14,
    title: "the campaign was started by a different build",
    explain:
      "Workers fly only campaigns whose coordinator runs the same code: the program, the modules of `--with`, and the PX4 library if the flights use it. Flights of other campaigns stay in the queue for other workers.",
  },
  notFlown: {
    number: 11,
    title: "a worker process or thread could not start",
    explain:
      "Flights are flown in threads or child processes that load the program and the modules of `--with`. If they cannot start, no flight can be flown.",
  },
  needsFeedback: {
    number: 12,
    title: "the flights of a search cannot be divided or judged again",
    explain:
      "A search chooses each generation from the results of the one before, so its flights are not known in advance and cannot be divided into shards: fly it on one machine, or share the work with `--fleet`. The flights of `splitting` are chosen for one requirement, so they cannot be judged again by others.",
  },
  notStored: {
    number: 15,
    title: "a folder does not hold a campaign that can be flown again",
    explain:
      "`campaign` writes `campaign.json` beside its journal: the campaign with every default, so that its flights can be flown again from the folder alone. A folder that `merge` made from an object store has no such file. Run `campaign` with that folder first; it does not repeat flights that are in the journal.",
  },
  store: {
    number: 16,
    title: "an object store cannot be used",
    explain:
      "`--store s3://bucket/folder` writes the rows of a part to a store with the interface of Amazon S3, and `campaign merge s3://bucket/folder` reads them. Keys, region and, for other servers, the address come from the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL. Writing a part twice is harmless.",
  },
  otherRows: {
    number: 17,
    title: "another build gives different rows",
    explain:
      "`--cache-from` reuses the rows of another build if a sample of them, flown again, gives equal rows. One row differed, so nothing is reused: if the journal already has rows, it is set aside (`journal.1.ndjson`), because some of them may be reused rows.",
  },
  noDirection: {
    number: 18,
    title: "a search has no direction",
    explain:
      "`falsify` and `splitting` follow the margin of a requirement. A requirement that contains only yes-or-no conditions (`eventually landed`, `motorOff`) either holds or does not, so its margin does not show whether a flight is closer to a violation. Compare a measured quantity: `eventually altitude < 20 cm` instead of `eventually landed`.",
  },
  diskFull: {
    number: 13,
    title: "a row could not be written to the journal",
    explain:
      "The disk is full or the folder was removed. Every row up to that point is in the journal; free disk space and start the campaign again, and it continues.",
  },
});

export const repeatErrors = defineErrors("REPEAT", {
  differs: {
    number: 1,
    title: "a repeated flight gave a different row",
    explain:
      "A flight was flown again in the same thread, after other flights, and produced a different row. The row of a flight must depend only on the campaign, its number and the code. The usual cause is a custom part that keeps state between flights, e.g. in a variable of its module: make it a field of the part, and add it to `save` and `load`.",
  },
});
