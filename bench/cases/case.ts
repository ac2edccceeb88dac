import type { Settings } from '../arguments.ts';
import type { Result } from '../report.ts';

export interface Bench {
  settings: Settings;
  /** Cleans up at the end of the case whatever it starts. */
  cleanup: AsyncDisposableStack;
  /** Reports progress. */
  say(text: string): void;
}

export type Case = (bench: Bench) => Promise<Result[]>;

/** The figures cannot be used: something that was promised is not there. */
export class Void extends Error {}
