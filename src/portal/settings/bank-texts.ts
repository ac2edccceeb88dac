import { catalog } from '../../language/catalog.ts';
import en from './bank-texts.en.json' with { type: 'json' };
import es from './bank-texts.es.json' with { type: 'json' };

export const bankTexts = catalog(
  { en, es },
  { from: { moment: 'text' }, until: { present: 'text' } },
);
