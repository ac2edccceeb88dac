import type { Settings } from '../arguments.ts';
import type { Result } from '../report.ts';

export interface Bench {
  settings: Settings;
  /** Releases a case's resources when it ends. */
  cleanup: AsyncDisposableStack;
  /** Reports progress. */
  say(text: string): void;
}

export type Case = (bench: Bench) => Promise<Result[]>;

/**
 * Thrown when a case's figures would be invalid, for example because acknowledged data is missing.
 */
export class Void extends Error {}
