import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'request.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The number is wrong, or the request belongs to another account.',
    },
    'request.not_payable': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'The request was paid or canceled, or its last due date has passed. Read it before you act on it.',
    },
    'request.first_due_past': {
      kind: 'field',
      parameters: { today: 'day' },
      help: "Send today's date in Argentina, or a later day.",
    },
    'request.due_too_far': {
      kind: 'field',
      parameters: { latest: 'day' },
      help: 'A barcode can only hold years of this century.',
    },
    'request.second_due_missing': {
      kind: 'field',
      parameters: {},
      help: 'Send `second_due_date` too, or leave `second_total` out.',
    },
    'request.second_due_not_later': {
      kind: 'field',
      parameters: { first: 'day' },
      help: 'The second due date must come after the first.',
    },
    'request.second_due_too_late': {
      kind: 'field',
      parameters: { days: 'count', latest: 'day' },
      help: 'A barcode has two digits for the number of days between the two due dates.',
    },
    'request.second_total_missing': {
      kind: 'field',
      parameters: {},
      help: 'Send `second_total` too, or leave `second_due_date` out.',
    },
    'request.second_total_lower': {
      kind: 'field',
      parameters: { first: 'money' },
      help: 'Paying late never costs less.',
    },
    'request.import_undone_by': {
      kind: 'part',
      parameters: { who: 'text', id: 'text' },
      help: 'The request came from an import that a user undid.',
    },
    'request.withdrawn_by': {
      kind: 'part',
      parameters: { who: 'text' },
      help: 'A user withdrew the request.',
    },
    'request.canceled_by_collector': {
      kind: 'part',
      parameters: {},
      help: 'The account canceled the request.',
    },
  },
  { en, es },
);
