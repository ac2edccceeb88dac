import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const fileTexts = catalog(
  { en, es },
  {
    late: { one: { rail: 'text', day: 'text' } },
    preview: {
      title: { name: 'text' },
      known: { id: 'count' },
      begun: { id: 'count' },
      sibling: { id: 'count' },
    },
    remarks: { more: { shown: 'count', all: 'count' } },
    one: { title: { name: 'text' } },
    sendings: { done: { count: 'count' } },
    calendar: { file: { id: 'count' } },
  },
);
