/** Signals: the first requests the flight's end, the second exits. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Interrupt } from "./interrupt.ts";

const signal = (name: "SIGINT" | "SIGTERM" | "SIGHUP") => process.emit(name, name);

describe("an interrupt", () => {
  const interrupt = { now: new Interrupt() };
  afterEach(() => {
    interrupt.now.stopListening();
    vi.restoreAllMocks();
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s requests a stop; a second one exits with %d, so that exit listeners run", (name, code) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const now = (interrupt.now = new Interrupt());
    now.listen();
    expect([now.isRequested, now.signal.aborted]).toEqual([false, false]);
    signal(name);
    expect([now.isRequested, now.signal.aborted, now.exitCode]).toEqual([true, true, code]);
    expect(exit).not.toHaveBeenCalled();
    signal("SIGINT");
    expect(exit).toHaveBeenCalledExactlyOnceWith(code);
  });

  it("ends a sleep early, and a later sleep immediately", async () => {
    const now = (interrupt.now = new Interrupt());
    now.listen();
    const slept = now.sleep(60_000);
    signal("SIGINT");
    await slept;
    await now.sleep(60_000);
    expect(now.signal.aborted).toBe(true);
  });
});
