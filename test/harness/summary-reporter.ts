import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';
import { packageRoot } from '../../src/package-root.ts';
import { calibrate, judge, overLines } from './budget.ts';
import { type RunFile, writeLastRun } from './last-run.ts';

const budgetsFile = path.join(import.meta.dirname, 'budgets.json');

const fileOf = (module: TestModule): RunFile => ({
  file: module.relativeModuleId,
  seconds: module.meta().processorSeconds ?? 0,
  wallSeconds: Math.round(module.diagnostic().duration) / 1000,
  tests: [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
  })),
});

/**
 * Counts passed and failed tests. A failure outside a test (a file that does not load, a hook)
 * counts as one failed test, unless a test of the file failed too.
 */
function countsOf(modules: readonly TestModule[]): { passed: number; failed: number } {
  let passed = 0;
  let failed = 0;
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
  return { passed, failed };
}

/**
 * Ends the run with one line that scripts can parse: `123 passed, 0 failed`. Before it, lists the
 * files that exceeded their processor budget. A file at twice its budget fails the run, and so does
 * a whole suite that grew by more than 30 %.
 */
export default class SummaryReporter implements Reporter {
  private vitest: Vitest | undefined;
  private calibrationMs = 0;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
    this.calibrationMs = calibrate();
  }

  /** Returns true if every test of every file was scheduled. */
  private isWhole(modules: readonly TestModule[]): boolean {
    const all = globSync('test/**/*.test.{ts,tsx}', { cwd: packageRoot() });
    return modules.length === all.length && !this.vitest?.config.testNamePattern;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { calibrationMs } = this;
    const whole = this.isWhole(modules);
    const files = modules.map(fileOf);
    writeLastRun({ whole, calibrationMs, files });
    const budgets = JSON.parse(readFileSync(budgetsFile, 'utf8'));
    const verdict = judge(files, { budgets, calibrationMs, whole });
    if (verdict.failures.length > 0) process.exitCode = 1;
    const { passed, failed } = countsOf(modules);
    const lines = [
      ...overLines(verdict),
      ...verdict.failures,
      `${passed} passed, ${failed + unhandled.length + verdict.failures.length} failed`,
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
