import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const actTexts = catalog(
  { en, es },
  {
    withdrawn: { thing: 'text' },
    more: { count: 'count' },
    console: { user: 'text', host: 'text', command: 'text' },
    key: { prefix: 'text' },
    connector: { name: 'text' },
    rail: { name: 'text' },
    user: { id: 'count' },
  },
);
