/**
 * Says at the end of a test run what did not run and why, and counts in one plain line.
 *
 * A skipped test without a reason is a failure: nobody would ever miss it.
 */
import type { Reporter, TestModule } from "vitest/node";

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped: string[] = [];
    let silent = 0;
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") passed += 1;
        else if (result.state === "failed") failed += 1;
        else if (result.state === "skipped") {
          skipped.push(`  ${module.relativeModuleId} › ${test.fullName}: ${result.note ?? "no reason given"}`);
          if (result.note === undefined) silent += 1;
        }
      }
    }
    if (skipped.length > 0) process.stdout.write(`\nskipped:\n${skipped.join("\n")}\n`);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
    if (silent > 0) {
      process.stdout.write(`${silent} skipped without a reason: give one\n`);
      process.exitCode = 1;
    }
  }
}
