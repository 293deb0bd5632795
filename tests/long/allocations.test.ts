/**
 * In steady state a boundary allocates nothing: the bench rows that count bytes stay within their limits. They are
 * measured in a fresh process that runs the shipped bundle, after the JavaScript engine has finished compiling.
 */
import { expect, it } from "vitest";
import { memory } from "../../bench/rows/memory.ts";
import { runSuite } from "../../bench/suite.ts";

it("a boundary allocates less than one byte, before and after 2³¹ µs and in the default mission, judged or not", async () => {
  const [readings] = await runSuite({ processes: 1, isQuick: false, only: [memory.name] });
  const counted = memory.rows.filter(({ unit }) => unit === "bytes");
  expect(counted).toHaveLength(4);
  for (const { name, limit } of counted) {
    const { value } = readings!.find(({ row }) => row === name)!;
    expect(value, name).toBeLessThanOrEqual(limit!.max);
  }
}, 300_000);
