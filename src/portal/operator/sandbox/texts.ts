import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Steps of the clock, by the form's value. */
export const steps = {
  hour: { hours: 1 },
  day: { hours: 24 },
  week: { hours: 7 * 24 },
  month: { hours: 30 * 24 },
} as const;

export type Step = keyof typeof steps;

export const sandboxTexts = catalog({ en, es }, { moved: { to: 'text' } });
