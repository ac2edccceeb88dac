import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeMail, sampleRequest } from '../../../src/payment-requests/mails/texts/compose.ts';
import { defaultTexts } from '../../../src/payment-requests/mails/texts/default-texts.ts';
import { fill, textFaults } from '../../../src/payment-requests/mails/texts/fill.ts';
import { langs, payerMailKinds } from '../../../src/payment-requests/mails/texts/kinds.ts';

const fine = { subject: 'Hola {pagador}', body: 'Pagá acá: {enlace}' };

test('every text that we write is one that an account could write', () => {
  for (const kind of payerMailKinds) {
    for (const lang of langs) expect(textFaults(kind, lang, defaultTexts[kind][lang])).toEqual([]);
  }
});

test.each([
  [
    'an unknown name',
    { ...fine, body: 'x {enlace} {cbu}' },
    [{ field: 'body', fault: 'unknown', name: 'cbu' }],
  ],
  [
    'a name of the other language',
    { ...fine, subject: '{payer}' },
    [{ field: 'subject', fault: 'unknown', name: 'payer' }],
  ],
  [
    'a name of another kind',
    { ...fine, body: '{enlace} {medio}' },
    [{ field: 'body', fault: 'unknown', name: 'medio' }],
  ],
  [
    'a link in the subject',
    { ...fine, subject: '{enlace}' },
    [{ field: 'subject', fault: 'unknown', name: 'enlace' }],
  ],
  [
    'a subject of two lines',
    { ...fine, subject: 'a\r\nBcc: b@c.d' },
    [{ field: 'subject', fault: 'lines' }],
  ],
  ['no subject', { ...fine, subject: ' ' }, [{ field: 'subject', fault: 'empty' }]],
  ['a long subject', { ...fine, subject: 'x'.repeat(201) }, [{ field: 'subject', fault: 'long' }]],
  [
    'a long body',
    { ...fine, body: `{enlace}${'x'.repeat(5_000)}` },
    [{ field: 'body', fault: 'long' }],
  ],
  [
    'a turned direction',
    { ...fine, subject: 'a\u202eb' },
    [{ field: 'subject', fault: 'control' }],
  ],
  ['a control', { ...fine, body: '{enlace}\u0000' }, [{ field: 'body', fault: 'control' }]],
  ['no way to pay', { ...fine, body: 'x' }, [{ field: 'body', fault: 'noLink', name: 'enlace' }]],
])('a text with %s is refused, and it says what', (_, text, faults) => {
  expect(textFaults('request', 'es', text)).toEqual(faults);
});

test('whatever a value says, the subject is one line and no value is read as a name or a link', () => {
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

/** What marks are made of, in whatever order. */
const pieces = fc.array(fc.constantFrom('[', ']', 'link', 'coupon', 'unsubscribe', '{', '}', 'x'));

test('no value, and no place where texts and values meet, makes a mark of a link', () => {
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
