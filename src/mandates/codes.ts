import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'adhesion.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the mandate belongs to another account.',
    },
    'card_adhesion.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the mandate belongs to another account.',
    },
    'adhesion.too_many_unsigned': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: '`UNSIGNED_MANDATES` sets the maximum; `accounts set --unsigned-mandates` sets it for one account.',
    },
    'adhesion.changed_meanwhile': {
      kind: 'conflict',
      parameters: {},
      help: 'Read the mandate again before you decide.',
    },
    'adhesion.not_waiting': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'It was signed, declined, canceled or not signed in time. If it is canceled, create a new one.',
    },
    'adhesion.time_to_sign_over': {
      kind: 'conflict',
      parameters: {},
      help: 'A holder has seven days to sign. Each new link gives seven more, but only while the mandate waits.',
    },
    'adhesion.cbu_not_text': {
      kind: 'field',
      parameters: {},
      help: 'Send the CBU in quotes.',
    },
    'adhesion.cbu_length': {
      kind: 'field',
      parameters: {},
      help: 'A digit is missing, there is one too many, or there are other characters.',
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
      help: 'Wallet accounts cannot be debited. Ask the holder for a bank account.',
    },
    'adhesion.holder_id_malformed': {
      kind: 'field',
      parameters: {},
      help: 'Send the digits; dots, dashes and spaces are ignored. Leave out the zeros before a DNI.',
    },
    'adhesion.holder_id_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'A digit of the CUIT or CUIL is wrong.',
    },
    'card_adhesion.number_missing': {
      kind: 'field',
      parameters: {},
      help: 'Holders can enter their card themselves only if a connector stores cards. Send the number in the call.',
    },
    'card_adhesion.number_not_text': {
      kind: 'field',
      parameters: {},
      help: 'Send the number in quotes.',
    },
    'card_adhesion.number_characters': {
      kind: 'field',
      parameters: {},
      help: 'The number contains letters or other characters. An encrypted number must be standard base64, not base64url.',
    },
    'card_adhesion.number_length': {
      kind: 'field',
      parameters: {},
      help: 'A digit is missing, or there is one too many.',
    },
    'card_adhesion.number_brand': {
      kind: 'field',
      parameters: {},
      help: 'Its first digits belong to no accepted brand. Check them, or ask the holder for another card.',
    },
    'card_adhesion.number_check_digit': {
      kind: 'field',
      parameters: {},
      help: 'A digit is wrong.',
    },
    'card_adhesion.number_wrong_key': {
      kind: 'field',
      parameters: {},
      help: 'The padding or its hash is different, such as SHA-1, or the key is not current: it changes every month, and the former one is accepted for one more week. Read the key again, encrypt with it and repeat the call.',
    },
    'card_adhesion.number_erased': {
      kind: 'conflict',
      parameters: { id: 'count' },
      help: 'The numbers of canceled mandates are erased and cannot be restored. `recaudo rails reject` rejects a debit that waits for a file.',
    },
  },
  { en, es },
);
