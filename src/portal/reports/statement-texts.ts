import { catalog } from '../../language/catalog.ts';
import en from './statement-texts.en.json' with { type: 'json' };
import es from './statement-texts.es.json' with { type: 'json' };

export const statementTexts = catalog(
  { en, es },
  {
    name: { month: 'text', year: 'count' },
    days: { from: 'text', to: 'text' },
    split: { available: 'text', unavailable: 'text' },
    issued: { moment: 'text' },
  },
);
