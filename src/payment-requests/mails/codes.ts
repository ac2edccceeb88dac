import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, fault, ...refusals } = declareRefusals(
  {
    'payer_mail.reminder_days': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'Choose a day within these bounds.',
    },
    'payer_mail.text_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Read `children`: it says what is wrong with subject and body.',
    },
    'payer_mail.text_blank': { kind: 'field', parameters: {}, help: 'Write a text.' },
    'payer_mail.text_long': { kind: 'field', parameters: { most: 'count' }, help: 'Shorten it.' },
    'payer_mail.text_of_lines': {
      kind: 'field',
      parameters: {},
      help: 'A subject cannot have line breaks.',
    },
    'payer_mail.text_control': {
      kind: 'field',
      parameters: {},
      help: 'It has control characters, or ones that change the direction of writing.',
    },
    'payer_mail.text_unknown_name': {
      kind: 'field',
      parameters: { name: 'text' },
      help: 'Each kind of mail and each language has its own names.',
    },
    'payer_mail.text_no_link': {
      kind: 'field',
      parameters: { name: 'text' },
      help: 'Requests and reminders need the link to pay.',
    },
    'payer_mail.just_sent': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'Wait as long as `Retry-After` says.',
    },
    'payer_mail.sent_too_often': {
      kind: 'too_many_requests',
      parameters: { most: 'count' },
      help: 'Wait as long as `Retry-After` says.',
    },
    'payer_mail.unsubscribed': {
      kind: 'conflict',
      parameters: {},
      help: 'Send the link to the payer another way.',
    },
    'payer_mail.no_address': {
      kind: 'conflict',
      parameters: {},
      help: 'The request was created without `payer_email`.',
    },
    'payer_mail.nothing_to_send': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'It can no longer be paid, and was not paid.',
    },
  },
  { en, es },
);
