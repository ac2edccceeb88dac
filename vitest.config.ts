import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { measuring } from './test/harness/measuring.ts';

/**
 * Most tests wait for a database, a browser or another process, so three workers keep two cores
 * busy. More of them finish no sooner, and make tests that wait for a deadline wait longer.
 */
const workers = Math.ceil(1.5 * availableParallelism());

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    environment: 'node',
    setupFiles: ['test/harness/spent.ts', 'test/harness/patience.ts', 'test/harness/parts.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    pool: 'forks',
    // Loading the service anew for each file would take a fifth of the run.
    isolate: false,
    maxWorkers: workers,
    // For tests that hang; a busy machine may take long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // Polling waits for a condition, not for a fast machine.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/harness/summary-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...measuring],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: measuring,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
