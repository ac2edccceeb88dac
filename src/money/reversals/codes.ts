import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'refund.exceeds_remaining': {
      kind: 'invalid',
      parameters: { most: 'money' },
      field: 'amount',
      help: 'Part of the payment is already refunded or being refunded. Send at most the remainder.',
    },
    'reversal.no_payment': {
      kind: 'conflict',
      parameters: { state: 'text', type: 'text' },
      help: 'The request has no payment, or the payment (the one in `result_id`, if sent) was refunded, is being refunded, or was charged back. Read the request.',
    },
    'reversal.too_late': {
      kind: 'conflict',
      parameters: { days: 'count', until: 'day' },
      help: 'The clearing house no longer accepts a reversal. Refund the payment instead.',
    },
    'reversal.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text' },
      help: 'A reference identifies one movement. Choose a different reference.',
    },
    'reversal.payment_not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the payment belongs to another request.',
    },
  },
  { en, es },
);
