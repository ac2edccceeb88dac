import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const homeTexts = catalog(
  { en, es },
  {
    rejected: { count: 'count', shown: 'text' },
    disputed: { count: 'count', shown: 'text' },
    evidence: { count: 'count', shown: 'text', first: 'text' },
    unsigned: { count: 'count', shown: 'text' },
    refunds: { count: 'count', shown: 'text' },
    webhook: { failures: 'count' },
    lateFile: { rail: 'text', day: 'text' },
    next: { day: 'text' },
    payments: { count: 'count' },
    requests: { count: 'count', shown: 'text' },
    against: { soFar: 'text', whole: 'text' },
  },
);
