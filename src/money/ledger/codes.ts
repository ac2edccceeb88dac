import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'ledger.day_closing': {
      kind: 'unavailable',
      parameters: {},
      help: 'The books of a day close around midnight. Retry the call. If this happens at other times, the clock of the server is slow: synchronize it with NTP.',
    },
    'ledger.day_not_over': {
      kind: 'unavailable',
      parameters: { day: 'day' },
      help: 'The clock of this process is ahead of the database, or the day has just ended. Retry the call. If it persists, synchronize the clocks of both with NTP.',
    },
    'ledger.postings_slow': {
      kind: 'unavailable',
      parameters: {},
      help: 'Closing a day, or moving the clock of the sandbox, waits for the postings in progress. Retry the call.',
    },
    'journal.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the journal belongs to another account.',
    },
  },
  { en, es },
);
