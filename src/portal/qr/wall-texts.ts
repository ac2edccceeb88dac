import { catalog } from '../../language/catalog.ts';
import en from './wall-texts.en.json' with { type: 'json' };
import es from './wall-texts.es.json' with { type: 'json' };

export const wallTexts = catalog(
  { en, es },
  {
    total: { count: 'count', sum: 'text' },
    back: { sum: 'text' },
    many: { most: 'count' },
  },
);
