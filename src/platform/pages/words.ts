import { catalog } from '../../language/catalog.ts';
import en from './words.en.json' with { type: 'json' };
import es from './words.es.json' with { type: 'json' };

/** Argentine Spanish, as people are spoken to here, and English. */
export const frameWords = catalog(
  { en, es },
  { day: { day: 'count', month: 'text', year: 'count' }, processedBy: { issuer: 'text' } },
);
