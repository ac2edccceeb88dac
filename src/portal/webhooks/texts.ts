import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const webhookTexts = catalog(
  { en, es },
  {
    heldSince: { moment: 'text' },
    failures: { count: 'count' },
    pausedUntil: { moment: 'text' },
    waiting: { count: 'text', next: 'text' },
    answer: { status: 'count', ms: 'count' },
    until: { moment: 'text' },
  },
);
