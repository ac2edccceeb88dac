import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'sandbox.production': {
      kind: 'forbidden',
      parameters: {},
      help: 'Use a deployment with `ENVIRONMENT=sandbox`.',
    },
    'sandbox.shared_clock': {
      kind: 'forbidden',
      parameters: {},
      help: 'Ask the operator, or use a sandbox of your own.',
    },
    'sandbox.clock_members': {
      kind: 'invalid',
      parameters: {},
      help: 'Send one member that sets how far the clock moves.',
    },
    'sandbox.clock_back': {
      kind: 'invalid',
      parameters: { now: 'moment' },
      help: 'Send a later moment.',
    },
    'sandbox.clock_too_far': {
      kind: 'invalid',
      parameters: {},
      help: 'Move it several times.',
    },
    'sandbox.clock_no_step': {
      kind: 'field',
      parameters: {},
      help: 'The form has neither. Fill in one of the two.',
    },
    'sandbox.clock_until': {
      kind: 'field',
      parameters: {},
      help: 'The day is not after today, or is more than five years away. Choose another, or move the clock several times.',
    },
    'sandbox.clock_waits': {
      kind: 'conflict',
      parameters: { now: 'moment', job: 'text' },
      help: 'Work that falls due before the new time runs first. Retry the call.',
    },
    'sandbox.debit_on_its_day': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'The simulated bank or processor answers on the day that it collects the debit.',
    },
    'sandbox.other_kind_of_card': {
      kind: 'conflict',
      parameters: { brand: 'text', kind: 'text' },
      help: 'Send the channel that matches the kind of the card.',
    },
    'sandbox.no_transfer_account': {
      kind: 'conflict',
      parameters: {},
      help: 'Without `CVU_PSP`, only a connector opens such accounts. It has not opened this one yet, no connector opens any, or the request excludes transfers. Retry in a moment, or use another channel.',
    },
    'sandbox.card_unknown': {
      kind: 'field',
      parameters: {},
      help: '`docs/reference/sandbox.md` lists the test cards. Any other valid number is approved.',
    },
    'sandbox.plan_unknown': {
      kind: 'field',
      parameters: { brand: 'text', installments: 'count' },
      help: 'Read the plans of the account with GET /helper/channel-installments.',
    },
    'sandbox.cbu_invalid': {
      kind: 'field',
      parameters: {},
      help: 'A digit is wrong or missing, or the number is a CVU.',
    },
    'sandbox.amount_not_due': {
      kind: 'field',
      parameters: {},
      help: 'Only transfers, cash and bill payments accept another amount.',
    },
    'sandbox.qr_channel': {
      kind: 'field',
      parameters: {},
      help: 'A QR can only be paid from a wallet.',
    },
  },
  { en, es },
);
