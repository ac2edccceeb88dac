import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends the run with one line that scripts can count: `123 passed, 0 failed`. What failed outside
 * a test (a file that does not load, a hook, an unhandled error) counts as a failure too.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      let failedInside = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failedInside += 1;
      }
      if (failedInside === 0 && module.state() === 'failed') failedInside = 1;
      failed += failedInside;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
