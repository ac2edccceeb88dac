import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const debitTexts = catalog(
  { en, es },
  {
    days: { more: { count: 'count' }, uncounted: { count: 'count' } },
    ofDay: { day: 'text' },
    counted: { debits: 'count' },
    refused: { reason: 'text' },
    goesOn: { reason: 'text' },
    again: { day: 'text' },
  },
);
