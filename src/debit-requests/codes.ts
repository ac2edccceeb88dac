import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'debit_request.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the debit belongs to another account.',
    },
    'card_debit_request.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the debit belongs to another account.',
    },
    'debit_request.adhesion_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The id is wrong, or belongs to a card mandate or to another account.',
    },
    'card_debit_request.adhesion_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The id is wrong, or belongs to a bank account mandate or to another account.',
    },
    'debit_request.adhesion_not_signed': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Wait until its holder signs, or create a new mandate.',
    },
    'debit_request.not_pending': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'The debit is at the bank or processor, or has an outcome. Refund it once it is paid.',
    },
    'debit_request.due_too_near': {
      kind: 'field',
      parameters: { earliest: 'day' },
      help: 'Only business days count: weekends and bank holidays do not.',
    },
    'card_debit_request.period_closed': {
      kind: 'field',
      parameters: { period: 'text', first: 'text' },
      help: 'Create the debit for the first open period, or for a later one.',
    },
    'card_adhesion.not_canceled': {
      kind: 'conflict',
      parameters: { id: 'count', state: 'text' },
      help: 'Cancel the mandate first.',
    },
    'card_adhesion.debits_undecided': {
      kind: 'conflict',
      parameters: { id: 'count', debits: 'count' },
      help: "Wait for the processor's answer to the debits.",
    },
  },
  { en, es },
);
