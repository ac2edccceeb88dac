import { catalog } from '../../../language/catalog.ts';
import en from './act-texts.en.json' with { type: 'json' };
import es from './act-texts.es.json' with { type: 'json' };

export const actTexts = catalog(
  { en, es },
  {
    left: { amount: 'text' },
    payment: { channel: 'text', when: 'text' },
    already: { amount: 'text' },
  },
);
