import type { Api } from './api.ts';

/** State shared by the checks. They run in order, and later ones use what earlier ones created. */
export interface World extends Api {
  /** Makes the texts of this run unique. */
  run: string;
  /** Returns the day `days` after the implementation's today, as `dd-mm-yyyy`. */
  day(days: number): string;
  /** Sets today from a timestamp that the implementation returned. */
  setToday(moment: string): void;
}

/**
 * `interface`: required by the interface. `extension`: added by Recaudo where the interface is
 * silent.
 */
export type Level = 'interface' | 'extension';

export interface Check {
  /** Part of the interface. */
  section: string;
  level: Level;
  /** The rule, as a sentence. */
  rule: string;
  run: (world: World) => Promise<void>;
}

export type Verdict = 'passed' | 'failed' | 'skipped';

export interface Result extends Omit<Check, 'run'> {
  verdict: Verdict;
  reason?: string;
}

export const section =
  (name: string, level: Level, rules: Record<string, Check['run']>) => (): Check[] =>
    Object.entries(rules).map(([rule, run]) => ({ section: name, level, rule, run }));
