import crc16ccitt from 'crc/crc16ccitt';
import fc from 'fast-check';
import { parse } from 'promptparse';
import { decode } from 'steplix-emvqr';
import { expect, test } from 'vitest';
import {
  buildPayload,
  crc16,
  type EmvField,
  type EmvObject,
  encodeFields,
  type PayloadFacts,
  parsePayload,
  valueAt,
} from '../../src/kernel/emv.ts';
import { centavos } from '../../src/kernel/money.ts';

/** Codes published by third parties. */
const published = {
  geopagos:
    '00020101021141440019ar.com.globalgetnet98113069226478599020130230019ar.com.globalgetnet50150011202222222235126002200001744000000000324675204000853030325802AR5908Prueba 16007Palermo6104100262170513659c1867a006563045B0A',
  mercadoPagoDisabled:
    '00020101021143530016com.mercadolibre0129https://mpago.la/pos/16853808501300091234567895204970053030325802AR5909FULL NAME6010CITY LEGAL63049102',
  mercadoPagoEmpty:
    '00020101021143520016com.mercadolibre0128https://mpago.la/pos/1525865501300091234567895204970053030325802AR5909FULL NAME6010CITY LEGAL630481BA',
  ePagos:
    '00020101021240250013ar.com.epagos0104SERV41380013ar.com.epagos981130598910045990201501500113071508429152049399530303254031205802AR5907E-Pagos6013Vicente Lopez6108CPA1638A80400013ar.com.epagos010725368930208IMPUESTO63046DC5',
  bind: '00020101021102080000000041370012com.TESTbind98113069226478599020143220018B00000461195ET000Z5015001130707101020512600220000531909000067076630520454115802AR5918GRANJAS CARNAVE SA6012BUENOS AIRES61041000530303262100706S0301281050001Z6304F127',
  todoPago:
    '00020101021102080365930704084166294126180002CA01083344220144110007com.adq50250004CUIT011320-11111111-2520499885303032540510.005802AR5909TODO PAGO6004CABA62350019www.todopago.com.ar07081231231280160006COMPRA01020081370006INFOTX01042343020110310092212581182270005CABAL01053252302055433583300010MASTERCARD010334202055433563049275',
  emvco:
    '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A',
};
const vectors = Object.entries(published);

function fieldsOf(objects: readonly EmvObject[]): EmvField[] {
  return objects.map(({ id, value, children }) => [id, children ? fieldsOf(children) : value]);
}

function objectsOf(text: string): readonly EmvObject[] {
  const parsed = parsePayload(text);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.objects;
}

test('computes the cataloged check value of the CRC', () => {
  expect(crc16('123456789')).toBe('29B1');
});

test('agrees with an independent CRC over the UTF-8 bytes of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(crc16(text)).toBe(
        crc16ccitt(Buffer.from(text)).toString(16).toUpperCase().padStart(4, '0'),
      );
    }),
  );
});

test.each(vectors)('reads and rewrites the code of %s unchanged', (_source, text) => {
  expect(encodeFields(fieldsOf(objectsOf(text)))).toBe(text);
  expect(parsePayload(text.slice(0, -4) + text.slice(-4).toLowerCase()).ok).toBe(true);
});

test('finds values by their path', () => {
  const objects = objectsOf(published.geopagos);
  expect(valueAt(objects, '62', '05')).toBe('659c1867a0065');
  expect(valueAt(objects, '51', '00')).toBe('0000174400000000032467');
  expect(valueAt(objectsOf(published.emvco), '64', '01')).toBe('最佳运输');
  expect([
    valueAt(objects, '54'),
    valueAt(objects, '59', '00'),
    valueAt(objects, '62', '01'),
  ]).toEqual([null, null, null]);
});

const withCrc = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
const bulletin525 =
  '00020101021141390016com.adquirente0115info_adquirente501300091234567895204970053030325802AR5909FULL NAME6010CITY LEGAL63045BE9';

test('computes the CRC of bulletin 525’s example, and refuses the example for its wrong lengths', () => {
  expect(crc16(bulletin525.slice(0, -4))).toBe('5BE9');
  expect(parsePayload(bulletin525)).toEqual({ ok: false, fault: 'structure' });
});

test.each([
  '00020101021143530016com.mercadolibre0129https://mpago.la/pos/16719292501300091234567895204970053030325802AR5909FULL NAME6010CITY LEGAL6304B244',
  '00020101021140200010com.yacare02022350150011336972350495204858553030325802AR5910HAVANNA SA6012BUENOS AIRES81220010com.yacare0204Y2156304E401',
  '',
  '63041D0F0',
])('refuses a code with a wrong CRC: %j', (text) => {
  expect(parsePayload(text)).toEqual({ ok: false, fault: 'crc' });
});

const account = '500500011';
const required = ['52049700', '5303032', '5802AR', '5901A', '6001B'];
const rest = required.join('');

test.each([
  ['no format indicator', `010211${account}${rest}`],
  ['a format indicator that is not the first', `${account}000201${rest}`],
  ['another format', `000202${account}${rest}`],
  ['an object twice', `000201${account}${rest}5802AR`],
  ['an object twice in a template', `00020150100001100012${rest}`],
  ['an empty object', `000201${account}6100${rest}`],
  ['a length that is not a number', `000201${account}610xA${rest}`],
  ['a template whose lengths do not add up', `00020150050002A${rest}`],
  ['a code cut in the middle', `000201${account}${rest.slice(0, -1)}`],
  ['a CRC that is the end of another object', `000201${account}${rest}6108`],
  ['an object after a CRC', `000201${account}${rest}630400006101A`],
])('reports %s as a structural fault', (_what, body) => {
  expect(parsePayload(withCrc(body))).toEqual({ ok: false, fault: 'structure' });
});

test('reports a code without account or mandatory object as incomplete', () => {
  expect(parsePayload(withCrc(`000201${account}${rest}`)).ok).toBe(true);
  expect(parsePayload(withCrc(`000201${rest}`))).toEqual({ ok: false, fault: 'missing' });
  for (const left of required) {
    const body = `000201${account}${rest.replace(left, '')}`;
    expect(parsePayload(withCrc(body))).toEqual({ ok: false, fault: 'missing' });
  }
});

test('detects damage to any character of a code', () => {
  const text = published.geopagos;
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === '7' ? '8' : '7';
    expect(parsePayload(text.slice(0, at) + other + text.slice(at + 1)).ok).toBe(false);
  }
});

test('counts whole characters in a length, not surrogate halves', () => {
  expect(encodeFields([['59', 'a😀']])).toBe('5902a😀');
});

test('throws RangeError for an empty or overlong object, or an invalid id', () => {
  for (const field of [
    ['01', ''],
    ['01', 'x'.repeat(100)],
    ['1', 'x'],
    ['0x', 'x'],
  ] as EmvField[]) {
    expect(() => encodeFields([field])).toThrow(RangeError);
  }
});

const facts: PayloadFacts = {
  kind: 'dynamic',
  acceptorDomain: 'com.example.recaudo',
  administratorCuit: '30692264785',
  holderCuit: '30598910045',
  mcc: '9399',
  name: 'Club Atlético Ñandú de la Ciudad',
  city: 'San Fernando del Valle',
  postalCode: 'X5000abc',
  id: '1A2B3C4D-factura_77',
};

test('writes exactly these objects for a dynamic code', () => {
  expect(buildPayload({ ...facts, amount: centavos(143_050) }).slice(0, -4)).toBe(
    [
      '000201',
      '010212',
      '43440019com.example.recaudo981130692264785990201',
      '5015001130598910045',
      '52049399',
      '5303032',
      '54071430.50',
      '5802AR',
      '5925CLUB ATLETICO NANDU DE LA',
      '6015SAN FERNANDO DE',
      '6108X5000ABC',
      '622301191A2B3C4D-factura_77',
      '6304',
    ].join(''),
  );
});

test('marks a static code as static, and omits its amount and blank postal code', () => {
  const objects = objectsOf(buildPayload({ ...facts, kind: 'static', postalCode: ' ' }));
  expect(['01', '54', '61'].map((id) => valueAt(objects, id))).toEqual(['11', null, null]);
});

const texts = fc.string({ unit: 'binary', maxLength: 60 });
const anyFacts: fc.Arbitrary<PayloadFacts> = fc.record({
  kind: fc.constantFrom('dynamic', 'static'),
  acceptorDomain: fc.stringMatching(/^[a-z]{2,3}\.[a-z0-9]{1,20}$/),
  administratorCuit: fc.stringMatching(/^\d{11}$/),
  holderCuit: fc.stringMatching(/^\d{11}$/),
  mcc: fc.stringMatching(/^\d{4}$/),
  name: texts,
  city: texts,
  postalCode: fc.option(texts, { nil: undefined }),
  id: fc.stringMatching(/^[0-9A-F]{8}-[A-Za-z0-9_-]{1,16}$/),
  amount: fc.option(fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos), { nil: undefined }),
});

test('writes printable ASCII that three parsers read alike, for any names', () => {
  fc.assert(
    fc.property(anyFacts, (any) => {
      const text = buildPayload(any);
      expect(text).toMatch(/^[ -~]+$/);
      const objects = objectsOf(text);
      expect(valueAt(objects, '62', '01')).toBe(any.id);
      expect(valueAt(objects, '50', '00')).toBe(any.holderCuit);
      expect(valueAt(objects, '43', '00')).toBe(any.acceptorDomain);
      const other = parse(text, true, true);
      for (const { id, value } of objects) expect(other?.getTagValue(id)).toBe(value);
      expect(other?.getTagValue('62', '01')).toBe(any.id);
      // This parser drops the leading zeros of a CRC below 0100.
      if (!text.slice(-4).startsWith('00')) {
        const third = decode(text, true);
        expect(third['62']).toEqual({ '01': any.id });
        expect(third['58']).toBe('AR');
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[string, Partial<PayloadFacts>]>([
  ['an empty id', { id: '' }],
  ['an id of 26 characters', { id: 'x'.repeat(26) }],
  ['an id with an accent', { id: 'ñ' }],
  ['a category of three digits', { mcc: '939' }],
  ['a CUIT with dashes', { holderCuit: '30-59891004-5' }],
  ['an administrator without a CUIT', { administratorCuit: '' }],
  ['a domain of 33 characters', { acceptorDomain: `com.${'x'.repeat(29)}` }],
  ['an amount of zero', { amount: centavos(0) }],
  ['a negative amount', { amount: centavos(-100) }],
])('throws RangeError for %s', (_what, wrong) => {
  expect(() => buildPayload({ ...facts, ...wrong })).toThrow(RangeError);
});
