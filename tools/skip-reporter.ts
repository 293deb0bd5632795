/**
 * Prints, at the end of a test run, every skipped test with the reason, and the counts in one line.
 *
 * A test that is skipped without a reason fails the run, so that no missing test goes unnoticed.
 */
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node";

export default class SkipReporter implements Reporter {
  /** True with `-t pattern`, for which Vitest reports every test that does not match as skipped. */
  private hasPattern = false;

  onInit({ config }: Vitest): void {
    this.hasPattern = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped: string[] = [];
    let unexplained = 0;
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      for (const group of [module, ...module.children.allSuites()]) if (group.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else if (state === "skipped") {
          const reason = reasonFor(test);
          if (reason === undefined && this.hasPattern) continue;
          skipped.push(`  ${module.relativeModuleId} › ${test.fullName}: ${reason ?? "no reason given"}`);
          if (reason === undefined) unexplained += 1;
        }
      }
    }
    if (skipped.length > 0) process.stdout.write(`\nskipped:\n${skipped.join("\n")}\n`);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (unexplained > 0) {
      process.stdout.write(`${unexplained} skipped without a reason: give one with skip("reason")\n`);
      process.exitCode = 1;
    }
  }
}

/** Returns the reason given to `skip`, or the error of the set-up that the test depends on. */
function reasonFor(test: TestCase): string | undefined {
  const result = test.result();
  if (result.state === "skipped" && result.note !== undefined) return result.note;
  for (let group: TestSuite | TestModule = test.parent; ; group = group.parent) {
    const [error] = group.errors();
    if (error !== undefined) return `its set-up failed (${error.message.split("\n", 1)[0]})`;
    if (group.type === "module") return undefined;
  }
}
