import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Argentine Spanish (voseo) and English. */
export const frameTexts = catalog(
  { en, es },
  { day: { day: 'count', month: 'text', year: 'count' }, processedBy: { issuer: 'text' } },
);
