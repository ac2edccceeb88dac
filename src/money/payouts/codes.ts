import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'payout.amount_or_all': {
      kind: 'field',
      parameters: {},
      help: 'Give one of the two, not both.',
    },
    'payout.changed_account': {
      kind: 'forbidden',
      parameters: { days: 'count' },
      help: 'For `PAYOUT_CHANGE_DAYS` an operator who changed an account cannot pay it out.',
    },
    'payout.changed_by_command': {
      kind: 'forbidden',
      parameters: { days: 'count' },
      help: 'Nobody knows who made the change. Wait, and name the operator next time.',
    },
    'payout.first_changed_account': {
      kind: 'forbidden',
      parameters: {},
      help: 'The first approval no longer counts.',
    },
    'payout.made_operator': {
      kind: 'forbidden',
      parameters: { days: 'count' },
      help: 'Two deciders must be independent of each other.',
    },
    'payout.one_operator': { kind: 'conflict', parameters: {}, help: 'Add a second operator.' },
    'payout.forged_journal': {
      kind: 'conflict',
      parameters: {},
      help: 'Somebody changed the database without the service. Look into the alarm, then close it.',
    },
    'payout.not_covered': {
      kind: 'conflict',
      parameters: { available: 'money', debt: 'money', most: 'money', owes: 'text', any: 'text' },
      help: 'The available balance does not cover the payout. Read the balances.',
    },
    'payout.request_waits': {
      kind: 'conflict',
      parameters: { amount: 'money' },
      help: 'One request for a payout waits at a time.',
    },
    'payout.no_cbu': { kind: 'conflict', parameters: {}, help: 'Give the account a CBU first.' },
    'payout.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text', amount: 'money' },
      help: 'A reference pays once. Use another one, or the same amount.',
    },
    'payout.reference_waits': {
      kind: 'conflict',
      parameters: { reference: 'text', amount: 'money' },
      help: 'A reference pays once. Decide on the payout that waits.',
    },
    'payout.takes_two': {
      kind: 'conflict',
      parameters: { above: 'money', before: 'money', paid: 'text' },
      help: 'The amount is above `PAYOUT_APPROVAL_ABOVE`.',
    },
    'payout.cbu_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'The payout names the CBU of when it was proposed.',
    },
    'payout.paid_before': {
      kind: 'conflict',
      parameters: { reference: 'text' },
      help: 'The payout was made: reject the proposal.',
    },
    'payout.forged': {
      kind: 'conflict',
      parameters: { id: 'count', account: 'text' },
      help: 'Somebody changed the database without the service. The operator looks into it before money moves.',
    },
    'payout.in_bank_file': {
      kind: 'conflict',
      parameters: { id: 'count', file: 'count' },
      help: 'Wait for the bank: paying again now may pay twice.',
    },
    'payout.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the payout is of another account.',
    },
    'payout_file.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The number is wrong: list the files.',
    },
  },
  { en, es },
);
