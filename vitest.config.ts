import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/harness/patience.ts', 'test/harness/parts.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    pool: 'forks',
    // Loading the service anew for each file would take a fifth of the run.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 15_000,
    // Polling waits for a condition, not for a fast machine.
    expect: { poll: { timeout: 20_000 } },
    // A shared machine may stall for longer than a time-out; a fault fails each time.
    retry: process.env.CI ? 2 : 0,
    reporters: ['default', './test/harness/summary-reporter.ts'],
  },
});
