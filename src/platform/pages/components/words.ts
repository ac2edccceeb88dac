import { catalog } from '../../../language/catalog.ts';
import en from './words.en.json' with { type: 'json' };
import es from './words.es.json' with { type: 'json' };

export const componentWords = catalog(
  { en, es },
  { remove: { label: 'text' }, faults: { count: 'count' } },
);
