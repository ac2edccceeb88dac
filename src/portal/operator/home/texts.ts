import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const operatorHomeTexts = catalog(
  { en, es },
  {
    suspense: { count: 'count' },
    lateFile: { rail: 'text' },
    lastFile: { day: 'text' },
    sweeps: { count: 'count' },
    mails: { count: 'count' },
    payouts: { count: 'count' },
    corrections: { count: 'count' },
    looks: { count: 'count' },
    evidence: { count: 'count' },
    evidenceUntil: { first: 'text' },
    alarms: { count: 'count' },
  },
);
