import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Faults of fields in any form. */
export const { fault, ...refusals } = declareRefusals(
  {
    'field.required': {
      kind: 'field',
      parameters: { wanted: 'said' },
      help: 'The field is missing, null or empty. Send it.',
    },
    'field.wrong_type': {
      kind: 'field',
      parameters: { expected: 'text', found: 'text' },
      help: 'JSON of another type was sent. Send the type that the sentence names.',
    },
    'field.wrong_value': {
      kind: 'field',
      parameters: { value: 'text', fault: 'said' },
      help: 'One value of a list; `children` has the code of what is wrong with it, by index.',
    },
    'field.too_many_values': {
      kind: 'field',
      parameters: { max: 'count', sent: 'count' },
      help: 'The list is too long. Send fewer values.',
    },
    'field.blank': {
      kind: 'field',
      parameters: { wanted: 'said' },
      help: 'Nothing but white space was sent.',
    },
    'field.too_short': {
      kind: 'field',
      parameters: { min: 'count' },
      help: 'Length counts Unicode code points.',
    },
    'field.too_long': {
      kind: 'field',
      parameters: { max: 'count', length: 'count' },
      help: 'Length counts Unicode code points. Cut the text.',
    },
    'field.not_unicode': {
      kind: 'field',
      parameters: {},
      help: 'A surrogate stands alone, mostly where a text was cut inside an emoji.',
    },
    'field.control_characters': {
      kind: 'field',
      parameters: { lines: 'text' },
      help: 'Take control characters out. Descriptions may hold line breaks and tabs.',
    },
    'field.direction_characters': {
      kind: 'field',
      parameters: { found: 'text' },
      help: 'Such characters make a text read differently from what it is. Take them out.',
    },
    'field.card_number': {
      kind: 'field',
      parameters: {},
      help: 'People read this text, and card numbers must not be where people read.',
    },
    'field.not_email': { kind: 'field', parameters: {}, help: 'Send one e-mail address.' },
    'field.not_url': {
      kind: 'field',
      parameters: {},
      help: 'Send an absolute address, with its scheme and host.',
    },
    'field.not_account_id': {
      kind: 'field',
      parameters: {},
      help: 'Copy the id of the account: eight digits and letters from A to F.',
    },
    'field.not_day': {
      kind: 'field',
      parameters: { format: 'text', example: 'text' },
      help: 'The text has another format.',
    },
    'field.no_such_day': {
      kind: 'field',
      parameters: { wrong: 'text', month: 'count', year: 'count', days: 'count' },
      help: 'The calendar has no such day, such as 30-02-2027.',
    },
    'field.not_amount': {
      kind: 'field',
      parameters: { value: 'text' },
      help: 'Send a JSON number, or a text such as 1430.50.',
    },
    'field.too_many_decimals': {
      kind: 'field',
      parameters: { wanted: 'said' },
      help: 'Amounts are whole centavos. Round before you send.',
    },
    'field.too_many_digits': {
      kind: 'field',
      parameters: { wanted: 'said' },
      help: 'The amount is above 99999999.99.',
    },
    'field.amount_too_small': {
      kind: 'field',
      parameters: { min: 'money' },
      help: 'The amount is below the least that this field takes.',
    },
    'field.not_sum': {
      kind: 'field',
      parameters: { digits: 'count', signed: 'text' },
      help: 'Send a sum in pesos, with a point before the centavos.',
    },
    'field.not_whole_number': {
      kind: 'field',
      parameters: { min: 'count', max: 'count' },
      help: 'Send a whole number without quotes; queries and paths take its digits.',
    },
    'field.out_of_range': {
      kind: 'field',
      parameters: { size: 'text', min: 'count', max: 'count' },
      help: 'Send a number within the bounds.',
    },
    'field.unknown_choice': {
      kind: 'field',
      parameters: { allowed: 'text' },
      help: 'Send one of the values that the sentence lists, in any case.',
    },
    'field.not_boolean': {
      kind: 'field',
      parameters: {},
      help: 'Send true or false; queries take 1 and 0 too.',
    },
    'field.not_moment': {
      kind: 'field',
      parameters: {},
      help: 'Send ISO 8601 with an offset from UTC.',
    },
    'field.too_deep': {
      kind: 'field',
      parameters: { max: 'count' },
      help: 'Objects and lists are nested too deep.',
    },
    'field.forbidden_text': {
      kind: 'field',
      parameters: {},
      help: 'No database stores such texts. Look for \\u0000 and texts cut inside an emoji.',
    },
    'field.too_many_bytes': {
      kind: 'field',
      parameters: { max: 'count', bytes: 'count' },
      help: 'The object is too large. Keep a reference in it, and the rest on your side.',
    },
    'field.page_and_after': {
      kind: 'field',
      parameters: {},
      help: 'A list is read by page, or on from an item.',
    },
    'field.after_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The list has no such item, or its filters leave it out.',
    },
    'field.text': { kind: 'part', parameters: { min: 'count', max: 'count' }, help: '' },
    'field.day': { kind: 'part', parameters: { format: 'text' }, help: '' },
    'field.amount': { kind: 'part', parameters: { min: 'money' }, help: '' },
    'field.object': { kind: 'part', parameters: {}, help: '' },
    'field.list': { kind: 'part', parameters: { max: 'count' }, help: '' },
  },
  { en, es },
);
