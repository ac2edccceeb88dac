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
      help: 'The id is wrong, or the adhesion belongs to another account.',
    },
    'card_debit_request.adhesion_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The id is wrong, or the adhesion belongs to another account.',
    },
    'debit_request.adhesion_not_signed': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Wait until its holder signs, or create a new adhesion.',
    },
    'debit_request.not_pending': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'It went out to the bank or processor, or was decided. Refund it once it is paid.',
    },
    'debit_request.due_too_near': {
      kind: 'field',
      parameters: { earliest: 'day' },
      help: 'The lead is in business days: weekends and bank holidays do not count.',
    },
    'card_debit_request.period_closed': {
      kind: 'field',
      parameters: { period: 'text', first: 'text' },
      help: 'Ask for the debit in the first open period, or a later one.',
    },
    'card_adhesion.not_canceled': {
      kind: 'conflict',
      parameters: { id: 'count', state: 'text' },
      help: 'Cancel the adhesion first.',
    },
    'card_adhesion.debits_undecided': {
      kind: 'conflict',
      parameters: { id: 'count', debits: 'count' },
      help: 'Wait for the answer of the processor.',
    },
  },
  { en, es },
);
