import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const noticeTexts = catalog(
  { en, es },
  {
    digest: {
      subject: { place: 'text' },
      body: { whom: 'text', place: 'text', list: 'text', page: 'text' },
    },
    more: { count: 'count' },
    facts: {
      rejected_debits: { count: 'count' },
      disputes: { count: 'count' },
      payout: { amount: 'text', cbu: 'text' },
      webhook: { host: 'text' },
      summary: { day: 'text', amount: 'text', count: 'count' },
    },
    deadlines: {
      what: { count: 'count' },
      subject: { place: 'text', what: 'text' },
      line: { id: 'count', amount: 'text', until: 'text' },
      body: { whom: 'text', place: 'text', what: 'text', lines: 'text', page: 'text' },
    },
  },
);
