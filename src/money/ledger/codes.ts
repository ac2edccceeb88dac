import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'ledger.day_closing': {
      kind: 'unavailable',
      parameters: {},
      help: 'The books of a day close around midnight. Retry the call.',
    },
    'ledger.postings_slow': {
      kind: 'unavailable',
      parameters: {},
      help: 'Other postings are holding the locks of these books. Retry the call.',
    },
    'journal.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the journal belongs to another account.',
    },
  },
  { en, es },
);
