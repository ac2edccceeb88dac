import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'refund.exceeds_remaining': {
      kind: 'invalid',
      parameters: { most: 'money' },
      field: 'amount',
      help: 'Part of it was refunded, or is being refunded. Send at most what is left.',
    },
    'reversal.no_payment': {
      kind: 'conflict',
      parameters: { state: 'text', type: 'text' },
      help: 'Nothing was paid, or all of it was returned. Read the request.',
    },
    'reversal.too_late': {
      kind: 'conflict',
      parameters: { days: 'count', until: 'day' },
      help: 'The clearing house no longer takes a reversal. Refund the payment instead.',
    },
    'reversal.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text' },
      help: 'A reference names one fact. Use another one.',
    },
    'reversal.payment_not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the payment is of another request.',
    },
  },
  { en, es },
);
