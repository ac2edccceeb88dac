import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'refund.whole_only': {
      kind: 'invalid',
      parameters: { channel: 'text' },
      field: 'amount',
      help: 'The channel does not support partial refunds. Leave out `amount`. If part was already refunded, return the rest outside the service and record it with `collections refund`.',
    },
    'refund.cbu_unwanted': {
      kind: 'invalid',
      parameters: { channel: 'text' },
      field: 'cbu',
      help: 'The channel of the payment returns the money, so no transfer is needed. Leave out `cbu`.',
    },
    'refund.cbu_missing': {
      kind: 'invalid',
      parameters: { channel: 'text' },
      field: 'cbu',
      help: 'The service can only return online payments, and only through a connector that can refund. Ask the payer for an account and send it as `cbu`.',
    },
    'refund.cbu_invalid': {
      kind: 'invalid',
      parameters: {},
      field: 'cbu',
      help: 'A digit is wrong or missing. Copy the 22 digits again.',
    },
    'refund.not_covered': {
      kind: 'conflict',
      parameters: { owed: 'money', held: 'money' },
      help: 'The balance does not cover the refund. Refund less, wait for money, or ask the operator to allow refunds below zero.',
    },
    'refund.forged': {
      kind: 'conflict',
      parameters: { id: 'count', account: 'text' },
      help: 'Someone changed the database without the service. The operator must investigate before money moves.',
    },
    'refund.waits_for_approval': {
      kind: 'conflict',
      parameters: { left: 'money', waiting: 'money' },
      field: 'amount',
      help: 'Other refunds of the payment wait for a second person. Approve or reject them, or refund less.',
    },
    'refund.ended': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'A refund that is done or failed is final. Read it before you act on it.',
    },
    'refund.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the refund belongs to another request or account.',
    },
    'refund.payment_not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'Someone changed the database without the service: the payment is gone, or belongs to another request. The operator must investigate.',
    },
  },
  { en, es },
);
