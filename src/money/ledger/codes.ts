import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'ledger.day_closing': {
      kind: 'unavailable',
      parameters: {},
      help: 'Around midnight the books of a day close. Repeat the call.',
    },
    'ledger.postings_slow': {
      kind: 'unavailable',
      parameters: {},
      help: 'Postings hold the books. Repeat the call.',
    },
    'journal.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the journal is of another account.',
    },
  },
  { en, es },
);
