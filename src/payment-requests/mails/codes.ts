import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, fault, ...refusals } = declareRefusals(
  {
    'mail.bounces_too_large': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the file.',
    },
    'payer_mail.reminder_days': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'Choose a number within these bounds.',
    },
    'payer_mail.text_invalid': {
      kind: 'invalid',
      parameters: {},
      help: '`children` lists what is wrong with the subject and the body.',
    },
    'payer_mail.text_blank': {
      kind: 'field',
      parameters: {},
      help: 'The subject or the body is empty or contains only white space.',
    },
    'payer_mail.text_long': { kind: 'field', parameters: { most: 'count' }, help: 'Shorten it.' },
    'payer_mail.text_of_lines': {
      kind: 'field',
      parameters: {},
      help: 'A subject cannot have line breaks.',
    },
    'payer_mail.text_control': {
      kind: 'field',
      parameters: {},
      help: 'The text contains control characters, or characters that change the writing direction.',
    },
    'payer_mail.text_unknown_name': {
      kind: 'field',
      parameters: { name: 'text' },
      help: 'Each kind of e-mail and each language has its own names, and a subject takes fewer than a body.',
    },
    'payer_mail.text_no_link': {
      kind: 'field',
      parameters: { name: 'text' },
      help: 'Requests and reminders must contain the payment link.',
    },
    'payer_mail.just_sent': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'Wait for `Retry-After` seconds.',
    },
    'payer_mail.sent_too_often': {
      kind: 'too_many_requests',
      parameters: { most: 'count' },
      help: 'Wait for `Retry-After` seconds.',
    },
    'payer_mail.sent_today': {
      kind: 'conflict',
      parameters: {},
      help: 'Sending to many requests at once skips this one. To send the e-mail anyway, use the page of the request.',
    },
    'payer_mail.bounced': {
      kind: 'conflict',
      parameters: {},
      help: 'Sending to many requests at once skips this one. If the address works again, send the e-mail from the page of the request; otherwise send the link in another way.',
    },
    'payer_mail.unsubscribed': {
      kind: 'conflict',
      parameters: {},
      help: 'Send the link to the payer in another way.',
    },
    'payer_mail.no_address': {
      kind: 'conflict',
      parameters: {},
      help: 'The request was created without `payer_email`, or its personal data was erased. Send the link to the payer in another way.',
    },
    'payer_mail.nothing_to_send': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'The request can no longer be paid. If it was paid, its page can send the receipt.',
    },
  },
  { en, es },
);
