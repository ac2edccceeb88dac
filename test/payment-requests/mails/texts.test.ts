import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeMail, sampleRequest } from '../../../src/payment-requests/mails/texts/compose.ts';
import { defaultTexts } from '../../../src/payment-requests/mails/texts/default-texts.ts';
import { fill, textFaults } from '../../../src/payment-requests/mails/texts/fill.ts';
import { langs, payerMailKinds } from '../../../src/payment-requests/mails/texts/kinds.ts';

const fine = { subject: 'Hola {pagador}', body: 'Pagá acá: {enlace}' };

test('accepts every default text', () => {
  for (const kind of payerMailKinds) {
    for (const lang of langs) expect(textFaults(kind, lang, defaultTexts[lang][kind])).toEqual({});
  }
});

test.each([
  [
    'an unknown placeholder',
    { ...fine, body: 'x {enlace} {cbu}' },
    { body: ['payer_mail.text_unknown_name'] },
  ],
  [
    'a placeholder of the other language',
    { ...fine, subject: '{payer}' },
    { subject: ['payer_mail.text_unknown_name'] },
  ],
  [
    'a placeholder of another kind',
    { ...fine, body: '{enlace} {medio}' },
    { body: ['payer_mail.text_unknown_name'] },
  ],
  [
    'a link in the subject',
    { ...fine, subject: '{enlace}' },
    { subject: ['payer_mail.text_unknown_name'] },
  ],
  [
    'a subject of two lines',
    { ...fine, subject: 'a\r\nBcc: b@c.d' },
    { subject: ['payer_mail.text_of_lines'] },
  ],
  ['no subject', { ...fine, subject: ' ' }, { subject: ['payer_mail.text_blank'] }],
  ['a long subject', { ...fine, subject: 'x'.repeat(201) }, { subject: ['payer_mail.text_long'] }],
  [
    'a long body',
    { ...fine, body: `{enlace}${'x'.repeat(5_000)}` },
    { body: ['payer_mail.text_long'] },
  ],
  [
    'a change of writing direction',
    { ...fine, subject: 'a\u202eb' },
    { subject: ['payer_mail.text_control'] },
  ],
  [
    'a control character',
    { ...fine, body: '{enlace}\u0000' },
    { body: ['payer_mail.text_control'] },
  ],
  ['no payment link', { ...fine, body: 'x' }, { body: ['payer_mail.text_no_link'] }],
])('refuses a text with %s, and reports the fault at its field', (_, text, codes) => {
  const faults = Object.entries(textFaults('request', 'es', text)).map(([field, { errors }]) => [
    field,
    errors.map(({ key }) => key),
  ]);
  expect(Object.fromEntries(faults)).toEqual(codes);
});

test('names an unknown placeholder in the author’s language', () => {
  const [fault] = textFaults('request', 'es', { ...fine, subject: '{cbu}' }).subject?.errors ?? [];
  expect(fault?.in('es')).toBe('Acá no se puede usar {cbu}: usá los nombres de la lista.');
  expect(fault?.in('en')).toBe('{cbu} cannot be used here: use only the names in the list.');
});

test('keeps the subject on one line and inserts values literally, whatever they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (payer) => {
      const values = { payer: `${payer}{enlace}[[link]]`, account: 'SECRET' };
      const { subject, body } = fill(
        { subject: '{pagador}', body: '{pagador}|{enlace}' },
        'es',
        values,
      );
      expect(subject).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(body.split('[[link]]')).toHaveLength(2);
      expect(body.endsWith('|[[link]]')).toBe(true);
      expect(body).not.toContain('SECRET');
    }),
  );
});

/** Fragments of markup, in any order. */
const pieces = fc.array(fc.constantFrom('[', ']', 'link', 'coupon', 'unsubscribe', '{', '}', 'x'));

test('never turns a value, alone or combined with a text, into a link', () => {
  const today = Temporal.PlainDate.from('2026-12-05');
  const request = sampleRequest(today);
  const texts = { subject: 'x', body: '[{pagador}]{concepto}[{cuenta}|{enlace}' };
  fc.assert(
    fc.property(pieces, pieces, pieces, (payer, description, account) => {
      const { body } = composeMail(
        {
          kind: 'request',
          account: account.join(''),
          request: { ...request, payer: payer.join(''), description: description.join('') },
          dueNo: 1,
          paid: null,
        },
        'es',
        { es: texts, en: texts },
      );
      expect(body.match(/\[\[(link|coupon|unsubscribe)\]\]/g)).toEqual([
        '[[link]]',
        '[[unsubscribe]]',
      ]);
    }),
    { examples: [[['[[[link]]'], ['[[[unsubscribe]]'], ['[[coupon]]']]] },
  );
});
