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
      help: 'An operator who changed an account cannot propose or approve its payouts above `PAYOUT_APPROVAL_ABOVE` for `PAYOUT_CHANGE_DAYS` days.',
    },
    'payout.changed_by_command': {
      kind: 'forbidden',
      parameters: { days: 'count' },
      help: 'The author of the change is unknown. Wait, and use --operator next time.',
    },
    'payout.first_changed_account': {
      kind: 'forbidden',
      parameters: {},
      help: 'The first operator is no longer independent of the account, so their proposal or approval does not count.',
    },
    'payout.made_operator': {
      kind: 'forbidden',
      parameters: { days: 'count' },
      help: 'The two operators must be independent of each other.',
    },
    'payout.one_operator': { kind: 'conflict', parameters: {}, help: 'Add a second operator.' },
    'payout.forged_journal': {
      kind: 'conflict',
      parameters: {},
      help: 'Someone changed the database without the service. Investigate the alarm, then close it with `alarms close`.',
    },
    'payout.not_covered': {
      kind: 'conflict',
      parameters: { available: 'money', debt: 'money', most: 'money', owes: 'text', any: 'text' },
      help: 'The payout exceeds the available balance, less any negative unavailable balance. Read both with the command `balances` or `GET /account/balances`.',
    },
    'payout.request_waits': {
      kind: 'conflict',
      parameters: { amount: 'money' },
      help: 'Only one requested payout can wait at a time.',
    },
    'payout.no_cbu': { kind: 'conflict', parameters: {}, help: 'Set a CBU for the account first.' },
    'payout.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text', amount: 'money' },
      help: 'A reference belongs to one payout. Use another reference, or send the same amount to get that payout.',
    },
    'payout.reference_waits': {
      kind: 'conflict',
      parameters: { reference: 'text', amount: 'money' },
      help: 'A reference belongs to one payout. Use another reference, or approve or reject the waiting payout.',
    },
    'payout.takes_two': {
      kind: 'conflict',
      parameters: { above: 'money', before: 'money', paid: 'text' },
      help: 'The amount, plus what the same person already paid out to the account today, is above `PAYOUT_APPROVAL_ABOVE`. Repeat with `--operator`.',
    },
    'payout.cbu_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'The proposal has the previous CBU of the account.',
    },
    'payout.paid_before': {
      kind: 'conflict',
      parameters: { reference: 'text' },
      help: 'The payout exists already, so reject the proposal.',
    },
    'payout.forged': {
      kind: 'conflict',
      parameters: { id: 'count', account: 'text' },
      help: 'Someone changed the database without the service. The operator must investigate before money moves.',
    },
    'payout.in_bank_file': {
      kind: 'conflict',
      parameters: { id: 'count', file: 'count' },
      help: 'Wait for the bank: another payout now could pay twice.',
    },
    'payout.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the payout belongs to another account.',
    },
    'payout_file.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or every payout of the file was returned. List the files.',
    },
  },
  { en, es },
);
