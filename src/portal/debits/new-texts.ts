import { catalog } from '../../language/catalog.ts';
import en from './new-texts.en.json' with { type: 'json' };
import es from './new-texts.es.json' with { type: 'json' };

export const newTexts = catalog(
  { en, es },
  { earliest: { day: 'text' }, period: { month: 'text' } },
);
