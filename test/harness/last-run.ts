import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { cacheFolder } from './run-folder.ts';

/** Durations of a run's files and tests, which `npm run test:slow` shows. */
export interface LastRun {
  /** False if only some files ran, or only some tests of them. */
  whole: boolean;
  calibrationMs: number;
  files: RunFile[];
}

export interface RunFile {
  file: string;
  /** Processor time. */
  seconds: number;
  /** Elapsed real time. */
  wallSeconds: number;
  tests: { name: string; ms: number }[];
}

const fileOf = (): string => path.join(cacheFolder(packageRoot()), 'last-run.json');

export function writeLastRun(run: LastRun): void {
  writeFileSync(fileOf(), JSON.stringify(run));
}

/** Returns null if no run has ended in this checkout. */
export function readLastRun(): LastRun | null {
  try {
    return JSON.parse(readFileSync(fileOf(), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
