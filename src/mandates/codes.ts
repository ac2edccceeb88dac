import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'adhesion.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the adhesion belongs to another account.',
    },
    'card_adhesion.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the adhesion belongs to another account.',
    },
    'adhesion.too_many_unsigned': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: '`UNSIGNED_MANDATES`, or a limit of the account, bounds those that wait for a signature.',
    },
    'adhesion.changed_meanwhile': {
      kind: 'conflict',
      parameters: {},
      help: 'Read the adhesion again before you decide.',
    },
    'adhesion.not_waiting': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Its holder answered, or it was canceled.',
    },
    'adhesion.time_to_sign_over': {
      kind: 'conflict',
      parameters: {},
      help: 'A holder has seven days to sign.',
    },
    'adhesion.cbu_not_text': {
      kind: 'field',
      parameters: {},
      help: 'Send the CBU in quotes.',
    },
    'adhesion.cbu_length': {
      kind: 'field',
      parameters: {},
      help: 'A digit is missing, or there is one too many.',
    },
    'adhesion.cbu_bank_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'One of the first eight digits is wrong.',
    },
    'adhesion.cbu_account_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'One of the last fourteen digits is wrong.',
    },
    'adhesion.cbu_is_cvu': {
      kind: 'field',
      parameters: {},
      help: 'Accounts of wallets cannot be debited. Ask the holder for a bank account.',
    },
    'adhesion.holder_id_malformed': {
      kind: 'field',
      parameters: {},
      help: 'Send the digits; dots, dashes and spaces are ignored.',
    },
    'adhesion.holder_id_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'A digit of the CUIT or CUIL is wrong.',
    },
    'card_adhesion.number_missing': {
      kind: 'field',
      parameters: {},
      help: 'Holders enter their card themselves only where a connector keeps cards.',
    },
    'card_adhesion.number_not_text': {
      kind: 'field',
      parameters: {},
      help: 'Send the number in quotes.',
    },
    'card_adhesion.number_characters': {
      kind: 'field',
      parameters: {},
      help: 'It has letters or other signs.',
    },
    'card_adhesion.number_length': {
      kind: 'field',
      parameters: {},
      help: 'A digit is missing, or there is one too many.',
    },
    'card_adhesion.number_brand': {
      kind: 'field',
      parameters: {},
      help: 'Its first digits belong to no brand that is taken here.',
    },
    'card_adhesion.number_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'A digit is wrong.',
    },
    'card_adhesion.number_wrong_key': {
      kind: 'field',
      parameters: {},
      help: 'Keys of accounts change every month. Read the key again, encrypt with it, and send the call again.',
    },
    'card_adhesion.number_erased': {
      kind: 'conflict',
      parameters: { id: 'count' },
      help: 'Numbers of canceled adhesions are erased, and cannot be restored.',
    },
  },
  { en, es },
);
