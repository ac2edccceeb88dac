import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'payment_request.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the request belongs to another account.',
    },
    'payment_request.channel_excluded': {
      kind: 'conflict',
      parameters: { channel: 'text' },
      help: 'The request was created with this channel in `excluded_channels`.',
    },
    'payment_request.card_brand_excluded': {
      kind: 'conflict',
      parameters: { brand: 'text' },
      help: 'The request was created with this brand in `excluded_card_brands`. Pay with another brand.',
    },
    'payment_request.installments_excluded': {
      kind: 'conflict',
      parameters: { installments: 'count' },
      help: 'The request was created with this number in `excluded_installments`. Choose another number.',
    },
    'payment_request.not_withdrawable': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'The request is no longer pending. If the payer paid it in the meantime, refund the payment.',
    },
    'payment_request.barcode_ids_used_up': {
      kind: 'invalid',
      parameters: { format: 'text', most: 'count' },
      help: 'The operator of the deployment must choose another `BARCODE_FORMAT`.',
    },
    'payment_request.no_channel': {
      kind: 'field',
      parameters: {},
      help: 'The operator of the deployment must configure a payment channel first.',
    },
    'payment_request.every_channel_excluded': {
      kind: 'field',
      parameters: { channels: 'text' },
      help: 'No one could pay the request. Exclude fewer channels.',
    },
    'payment_request.no_plan': {
      kind: 'field',
      parameters: {},
      help: 'Allow at least one other channel, or ask the operator to enable a plan for the account.',
    },
    'payment_request.every_plan_excluded': {
      kind: 'field',
      parameters: { plans: 'text' },
      help: 'No one could pay the request. Exclude fewer brands, installments or channels.',
    },
    'payment_request.total_over_barcode': {
      kind: 'field',
      parameters: { format: 'text', most: 'money' },
      help: 'The barcode format has no room for a larger amount. Split it over several requests.',
    },
  },
  { en, es },
);
