import { catalog } from '../../language/catalog.ts';
import en from './ask-texts.en.json' with { type: 'json' };
import es from './ask-texts.es.json' with { type: 'json' };

export const askTexts = catalog(
  { en, es },
  {
    changing: { moment: 'text' },
    amountHint: { all: 'text' },
    open: { amount: 'text' },
    waits: { moment: 'text' },
  },
);
