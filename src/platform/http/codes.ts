import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, ...refusals } = declareRefusals(
  {
    'field.required': {
      kind: 'field',
      parameters: { wanted: 'nested' },
      help: 'The field is missing, null or empty. Send it.',
    },
    'field.wrong_type': {
      kind: 'field',
      parameters: { expected: 'text', found: 'text' },
      help: 'The JSON type is wrong. Send the type that the message names.',
    },
    'field.wrong_value': {
      kind: 'field',
      parameters: { value: 'text', fault: 'nested' },
      help: 'One value of a list is wrong. `children` has its code, by index.',
    },
    'field.too_many_values': {
      kind: 'field',
      parameters: { max: 'count', sent: 'count' },
      help: 'The list is too long. Send fewer values.',
    },
    'field.blank': {
      kind: 'field',
      parameters: { wanted: 'nested' },
      help: 'The value contains only white space.',
    },
    'field.too_short': {
      kind: 'field',
      parameters: { min: 'count' },
      help: 'Length counts Unicode code points.',
    },
    'field.too_long': {
      kind: 'field',
      parameters: { max: 'count', length: 'count' },
      help: 'Length counts Unicode code points. Shorten the text.',
    },
    'field.not_unicode': {
      kind: 'field',
      parameters: {},
      help: 'The usual cause is a text that was cut inside an emoji. Cut it between characters.',
    },
    'field.control_characters': {
      kind: 'field',
      parameters: { lines: 'text' },
      help: 'Remove the control characters. Only descriptions can contain line breaks and tabs.',
    },
    'field.direction_characters': {
      kind: 'field',
      parameters: { found: 'text' },
      help: 'Such characters make a text look different from what it is. Remove them.',
    },
    'field.card_number': {
      kind: 'field',
      parameters: {},
      help: 'Payers and staff can read this text, so it must not reveal a card number. Remove the number.',
    },
    'field.not_email': { kind: 'field', parameters: {}, help: 'Send one e-mail address.' },
    'field.not_url': {
      kind: 'field',
      parameters: {},
      help: 'Send an absolute URL, with its scheme and host.',
    },
    'field.not_account_id': {
      kind: 'field',
      parameters: {},
      help: 'The id has a typing error, lower-case letters, or another length. Copy it again.',
    },
    'field.not_day': {
      kind: 'field',
      parameters: { format: 'text', example: 'text' },
      help: 'The text has another format. Write the day, the month and the year with dashes.',
    },
    'field.no_such_day': {
      kind: 'field',
      parameters: { wrong: 'text', month: 'count', year: 'count', days: 'count' },
      help: 'The calendar has no such day, for example 30-02-2027.',
    },
    'field.not_amount': {
      kind: 'field',
      parameters: { value: 'text' },
      help: 'Send a JSON number, or a string such as "1430.50".',
    },
    'field.too_many_decimals': {
      kind: 'field',
      parameters: { wanted: 'nested' },
      help: 'Amounts are whole centavos. Round before you send.',
    },
    'field.too_many_digits': {
      kind: 'field',
      parameters: { wanted: 'nested' },
      help: 'The amount is above 99999999.99.',
    },
    'field.amount_too_small': {
      kind: 'field',
      parameters: { min: 'money' },
      help: 'The amount is below the minimum of this field.',
    },
    'field.not_sum': {
      kind: 'field',
      parameters: { digits: 'count', signed: 'text' },
      help: 'Send an amount in pesos, with a decimal point before the centavos.',
    },
    'field.not_whole_number': {
      kind: 'field',
      parameters: { min: 'count', max: 'count' },
      help: 'Send a whole number without quotes; queries and paths accept its digits.',
    },
    'field.out_of_range': {
      kind: 'field',
      parameters: { size: 'text', min: 'count', max: 'count' },
      help: 'Send a number within the bounds.',
    },
    'field.unknown_choice': {
      kind: 'field',
      parameters: { allowed: 'text' },
      help: 'Send one of the values in the message, in upper or lower case.',
    },
    'field.not_boolean': {
      kind: 'field',
      parameters: {},
      help: 'Send true or false; queries also accept 1 and 0.',
    },
    'field.not_moment': {
      kind: 'field',
      parameters: {},
      help: 'Send ISO 8601 with an offset from UTC.',
    },
    'field.too_deep': {
      kind: 'field',
      parameters: { max: 'count' },
      help: 'Objects and lists inside this object are nested too deep. Nest less.',
    },
    'field.forbidden_text': {
      kind: 'field',
      parameters: {},
      help: 'PostgreSQL cannot store such strings. Look for \\u0000 and for texts cut inside an emoji.',
    },
    'field.too_many_bytes': {
      kind: 'field',
      parameters: { max: 'count', bytes: 'count' },
      help: 'The object is too large. Keep the data on your side and send only a reference to it.',
    },
    'field.page_and_after': {
      kind: 'field',
      parameters: {},
      help: '`page` and `after` are two ways to read a list in parts. Use one of them.',
    },
    'field.after_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The list has no such item, or its filters exclude it.',
    },
    'field.text': { kind: 'part', parameters: { min: 'count', max: 'count' }, help: '' },
    'field.day': { kind: 'part', parameters: { format: 'text' }, help: '' },
    'field.amount': { kind: 'part', parameters: { min: 'money' }, help: '' },
    'field.object': { kind: 'part', parameters: {}, help: '' },
    'field.list': { kind: 'part', parameters: { max: 'count' }, help: '' },
  },
  { en, es },
);
