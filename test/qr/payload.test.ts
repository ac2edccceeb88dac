import crc16ccitt from 'crc/crc16ccitt';
import fc from 'fast-check';
import { parse } from 'promptparse';
import { decode } from 'steplix-emvqr';
import { expect, test } from 'vitest';
import { parsePayload, valueAt } from '../../src/kernel/emv.ts';
import { centavos } from '../../src/kernel/money.ts';
import { payloadOf } from '../../src/qr/payload/payload.ts';

const terms = {
  acceptorDomain: 'ar.recaudo',
  administratorCuit: '30692264785',
  mcc: '9399',
  offered: true,
};

const anyText = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .filter((text) => text.trim() !== '');

const facts = fc.record({
  name: anyText(100),
  kind: fc.constantFrom('dynamic', 'static'),
  part: fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/),
  amount: fc.option(fc.integer({ min: 1_000, max: 9_999_999_999 }).map(centavos), {
    nil: undefined,
  }),
  details: fc.record(
    { city: anyText(15), postal_code: anyText(10), qr_name: anyText(15) },
    { requiredKeys: ['city'] },
  ),
} as const);

test('encodes any texts so that three parsers agree', () => {
  fc.assert(
    fc.property(facts, ({ name, kind, part, amount, details }) => {
      const id = `A1B2C3D4-${part}`;
      const text =
        payloadOf(terms, { name, cuit: '30715084291' }, { kind, id, amount, details }) ?? '';
      expect(text).toMatch(/^[ -~]{100,512}$/);
      const crc = crc16ccitt(Buffer.from(text.slice(0, -4)))
        .toString(16)
        .toUpperCase();
      expect(text.slice(-4)).toBe(crc.padStart(4, '0'));
      const ours = parsePayload(text);
      if (!ours.ok) throw new Error(ours.fault);
      const prompt = parse(text, true, true);
      if (!prompt) throw new Error('promptparse refuses it');
      const paths: [string, string?][] = [['01'], ['43', '98'], ['50', '00'], ['59'], ['60']];
      for (const [tag, sub] of [...paths, ['62', '01'] as [string, string]]) {
        const value = sub ? valueAt(ours.objects, tag, sub) : valueAt(ours.objects, tag);
        expect(prompt.getTagValue(tag, sub)).toBe(value);
      }
      expect(valueAt(ours.objects, '62', '01')).toBe(id);
      expect(valueAt(ours.objects, '54')).toBe(
        amount === undefined ? null : (amount / 100).toFixed(2),
      );
      // This parser drops the leading zeros of a CRC below 0100.
      if (!text.slice(-4).startsWith('00')) {
        expect(decode(text, true)['62']).toEqual({ '01': id });
      }
    }),
    { seed: 4 },
  );
});
