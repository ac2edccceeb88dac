import { catalog } from '../../../language/catalog.ts';
import en from './bulk-texts.en.json' with { type: 'json' };
import es from './bulk-texts.es.json' with { type: 'json' };

const summed = { count: 'count', sum: 'text' } as const;
const act = { submit: { count: 'count' }, done: summed } as const;

export const bulkTexts = catalog(
  { en, es },
  {
    withdraw: act,
    resend: act,
    total: summed,
    first: { most: 'count' },
    noAddress: { count: 'count' },
  },
);
