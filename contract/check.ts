import type { Api } from './api.ts';

/** What checks share: they run in order, and later ones use what earlier ones made. */
export interface World extends Api {
  /** Makes texts of this run unique. */
  run: string;
  /** A day so many days after the implementation's today, `dd-mm-yyyy`. */
  day(days: number): string;
  /** Sets today, from a moment of the implementation. */
  setToday(moment: string): void;
}

/** `interface`: what the interface says. `extension`: what Recaudo adds where it is silent. */
export type Level = 'interface' | 'extension';

export interface Check {
  /** The part of the interface. */
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

/** Declares the checks of a section. */
export const section =
  (name: string, level: Level, rules: Record<string, Check['run']>) => (): Check[] =>
    Object.entries(rules).map(([rule, run]) => ({ section: name, level, rule, run }));
