/** Signals of a recorded flight by name and time. */
import { oneOfNames, show } from "../params/index.ts";
import { findBlock, findStream, recordErrors, type Recording, sampleHoldInto, type Stream } from "../record/index.ts";
import { secondsToUs } from "../time/index.ts";
import { parseDurationText } from "../describe/spec/duration-text.ts";
import { flightErrors } from "../describe/errors.ts";

/** A signal over time. */
export interface SignalAccess {
  /** The value held at a time of the flight: `"30 s"`, or seconds as a number. */
  at(time: string | number): Float64Array;
  readonly timesUs: Float64Array;
  /** All rows, one after the other. */
  readonly values: Float64Array;
}

const TOTAL_WIND = "windNed";

export function signalAccess(recording: Recording, name: string): SignalAccess {
  const block = findBlock(recording, name);
  const stream = name === TOTAL_WIND ? totalWind(recording) : streamOf(recording, block === undefined ? name : "state");
  return {
    timesUs: stream.timesUs,
    values: block === undefined ? stream.values : columnsOf(stream.values, stream.size, block),
    at: (time) => {
      const row = new Float64Array(stream.size);
      sampleHoldInto(row, stream, timeInFlightUs(recording, time));
      return block === undefined ? row : row.slice(block.offset, block.offset + block.size);
    },
  };
}

function streamOf(recording: Recording, name: string): Stream {
  const streams = [...recording.streams, ...recording.logged];
  const known = [...streams, ...recording.stateBlocks].map((each) => each.name).concat(TOTAL_WIND);
  if (known.includes(name)) return findStream(recording, name);
  throw recordErrors.missingStream({ what: `the flight has no signal ${show(name)}`, fix: oneOfNames(name, known) });
}

/** Parses a time such as `"30 s"` into microseconds, and checks that it lies within the flight. */
function timeInFlightUs({ endUs }: Recording, time: string | number): number {
  const seconds = parseDurationText(time, typeof time === "number" ? "any" : "with unit");
  if (seconds === undefined) {
    throw flightErrors.wrongType({ what: `${show(time)} is not a time`, fix: 'write for example "30 s" or 30' });
  }
  const tUs = secondsToUs(seconds);
  if (tUs <= endUs) return tUs;
  throw recordErrors.afterEnd({
    what: `the requested time is ${seconds} s, but the flight ended at ${endUs / 1e6} s`,
    where: { tUs },
    fix: `request a time from 0 to ${endUs / 1e6} s`,
  });
}

/** Returns the sum of base wind and gusts. Recordings hold the two separately, because replay needs both. */
function totalWind(recording: Recording): Stream {
  const parts = [findStream(recording, "windBaseNed"), findStream(recording, "windGustNed")];
  const times = [...new Set(parts.flatMap(({ timesUs }) => [...timesUs]))].sort((a, b) => a - b);
  const timesUs = Float64Array.from(times.filter((tUs) => parts.every((part) => part.timesUs[0]! <= tUs)));
  const values = new Float64Array(3 * timesUs.length);
  const row = new Float64Array(3);
  for (const part of parts) {
    timesUs.forEach((tUs, i) => {
      sampleHoldInto(row, part, tUs);
      for (let k = 0; k < 3; k += 1) values[3 * i + k]! += row[k]!;
    });
  }
  return { name: TOTAL_WIND, size: 3, timesUs, values };
}

function columnsOf(
  values: Float64Array,
  rowSize: number,
  { offset, size }: { offset: number; size: number },
): Float64Array {
  const rows = values.length / rowSize;
  const picked = new Float64Array(rows * size);
  for (let row = 0; row < rows; row += 1) {
    picked.set(values.subarray(row * rowSize + offset, row * rowSize + offset + size), row * size);
  }
  return picked;
}
