import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, ...refusals } = declareRefusals(
  {
    'account.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No account has this id. Copy its 8 characters again.',
    },
    'account.closed': {
      kind: 'conflict',
      parameters: {},
      help: 'A closed account stays closed. Open another one.',
    },
    // For payers: `account_suspended` and `account.closed` would reveal the account's state.
    'account.takes_no_payments': {
      kind: 'conflict',
      parameters: {},
      help: 'The account is suspended or closed. Ask the operator.',
    },
    'account.creates_nothing': {
      kind: 'conflict',
      parameters: {},
      help: 'The account is suspended or closed. Ask the operator.',
    },
    'account.id_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Leave the id out to get a random one.',
    },
    'account.id_reserved': {
      kind: 'invalid',
      parameters: {},
      help: "The operator's own books have this id. Use another one.",
    },
    'account.id_taken': {
      kind: 'conflict',
      parameters: { id: 'text' },
      help: 'Use another id, or leave it out.',
    },
    'account.name_length': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'The name is missing, blank or too long. Payers see it.',
    },
    'account.name_characters': {
      kind: 'invalid',
      parameters: {},
      help: 'Type the name again, in one line.',
    },
    'account.cuit_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'A digit is wrong or missing, or there are spaces or other characters. Copy the 11 digits again.',
    },
    'account.city_length': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'The name of the city is missing, blank or too long.',
    },
    'account.city_characters': {
      kind: 'invalid',
      parameters: {},
      help: 'The city contains a line break, or characters that control how text is displayed. Type it again.',
    },
    'account.profile_invalid': {
      kind: 'invalid',
      parameters: { field: 'text' },
      help: 'Correct the field, or leave it empty.',
    },
    'account.accent_contrast': {
      kind: 'invalid',
      parameters: {},
      help: 'Write # and six hexadecimal digits, or choose a darker color.',
    },
    'account.look_decided': {
      kind: 'conflict',
      parameters: {},
      help: '`accounts looks` lists the pending changes with their numbers.',
    },
    'account.look_own': {
      kind: 'forbidden',
      parameters: {},
      help: 'Four eyes: someone other than the person who requested the change must approve it.',
    },
    'account.cut_day_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Choose a day from 1 to 31. In the portal, leave the field empty to use the default of the service.',
    },
    'account.refund_limit_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Enter 0 or more, or leave the field empty if no refund needs a second person.',
    },
    'account.limit_invalid': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'In the portal, leave the field empty to use the limit of the service. In a command, give `standard`.',
    },
    'account.settings_too_large': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: "The account's settings for this connector are too long. Shorten them.",
    },
    'account.cbu_invalid': {
      kind: 'invalid',
      parameters: { fault: 'text' },
      help: 'A digit is wrong or missing. Copy the 22 digits again.',
    },
    'account.cbu_is_cvu': {
      kind: 'invalid',
      parameters: {},
      help: 'Payouts go to bank accounts only. Send a CBU.',
    },
    'account.cbu_change_waits': {
      kind: 'conflict',
      parameters: {},
      help: 'Cancel the pending change, or wait until it takes effect.',
    },
    'account.cbu_unchanged': {
      kind: 'conflict',
      parameters: {},
      help: 'There is nothing to do.',
    },
    'account.cbu_cancel_late': {
      kind: 'conflict',
      parameters: {},
      help: 'The service applies the change within moments. Change the CBU again after that.',
    },
    'account.refunds_open': {
      kind: 'conflict',
      parameters: { count: 'count' },
      help: 'An account can close only once nothing is owed. `refunds list` shows what you must transfer.',
    },
    'account.charges_open': {
      kind: 'conflict',
      parameters: { count: 'count' },
      help: 'A charge without an outcome can still bring money, so the account cannot close yet. Wait for the outcomes.',
    },
    'account.not_settled': {
      kind: 'conflict',
      parameters: { available: 'money', unavailable: 'money' },
      help: 'An account can close only once both balances are 0. Pay its money out, or correct the books.',
    },
    'api_key.missing': {
      kind: 'unauthorized',
      parameters: {},
      help: 'Send the key in the header `Authorization`.',
    },
    'api_key.unknown': {
      kind: 'unauthorized',
      parameters: {},
      help: 'The key belongs to another environment, or has a typing error. Copy it again.',
    },
    'api_key.revoked': {
      kind: 'unauthorized',
      parameters: {},
      help: 'Someone revoked the key. Create another one.',
    },
    'api_key.expired': {
      kind: 'unauthorized',
      parameters: {},
      help: 'The key had an expiry date. Create another one.',
    },
    'api_key.address_refused': {
      kind: 'forbidden',
      parameters: { address: 'text' },
      help: "The key is limited to other addresses. Call from one of them, or add this one under *Integraciones* or with `keys restrict`. If the address is your proxy's, set `TRUST_PROXY`.",
    },
    'api_key.account_closed': {
      kind: 'unauthorized',
      parameters: {},
      help: 'The keys of a closed account no longer work. Use a key of an open account.',
    },
    'api_key.too_many_guesses': {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'Correct the key before you call again.',
    },
    'api_key.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No key of this account has this id. List its keys.',
    },
    'api_key.limit_reached': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: 'Revoke a key that is not in use.',
    },
    'api_key.exists': {
      kind: 'conflict',
      parameters: {},
      help: 'Create another key.',
    },
    'api_key.ended': {
      kind: 'conflict',
      parameters: {},
      help: 'The key was revoked or has expired. Create another one.',
    },
    'api_key.rotated': {
      kind: 'conflict',
      parameters: { by: 'text' },
      help: 'Each key is rotated once. Rotate its successor, also if you lost the secret of that one.',
    },
    'api_key.overlap_invalid': {
      kind: 'field',
      parameters: { days: 'count' },
      help: 'The overlap is malformed or too long. If you leave it out, it is 24 hours.',
    },
    'api_key.ranges_wanted': {
      kind: 'field',
      parameters: { most: 'count' },
      help: 'Send at least one address or range, or `any` alone for no limit.',
    },
    'api_key.ranges_too_many': {
      kind: 'field',
      parameters: { most: 'count', sent: 'count' },
      help: 'Join addresses into CIDR ranges.',
    },
    'api_key.range_malformed': {
      kind: 'field',
      parameters: { value: 'text' },
      help: 'Host names, wildcards and ranges with a dash are not allowed.',
    },
    'mail.not_failed': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the e-mail was sent, is waiting, or belongs to another account. List the failed ones.',
    },
    'mail.one_or_all': {
      kind: 'field',
      parameters: {},
      help: 'Give the number of one e-mail, or `--all`, but not both.',
    },
    'api_key.expiry_past': {
      field: 'expires',
      kind: 'conflict',
      parameters: {},
      help: 'Choose a later date and time.',
    },
  },
  { en, es },
);
