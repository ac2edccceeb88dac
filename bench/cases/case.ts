import type { Settings } from '../arguments.ts';
import type { Result } from '../report.ts';

export interface Bench {
  settings: Settings;
  /** Whatever a case starts is given to it, and ends with the case. */
  cleanup: AsyncDisposableStack;
  /** Progress, for whoever waits. */
  say(text: string): void;
}

export type Case = (bench: Bench) => Promise<Result[]>;

/** The figures cannot be used: something that was promised is not there. */
export class Void extends Error {}
