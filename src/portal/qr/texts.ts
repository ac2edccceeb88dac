import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const qrTexts = catalog(
  { en, es },
  {
    image: { id: 'text' },
    uploads: {
      id: { id: 'count' },
      of: { done: 'count', all: 'count' },
      partOf: { page: 'count', pages: 'count' },
    },
  },
);
