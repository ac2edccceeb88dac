import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCvu, cbuFault, isCbu, isCvu } from '../../src/kernel/cbu.ts';
import { cuitFault, isCuit } from '../../src/kernel/cuit.ts';

test.each([
  '2850590940090418135201',
  '0110012920000091344977',
  '0110376030037695834983',
  '0070081830004089740113',
  '0110466430046601954301',
  '0070096220000002841913',
  '0140019901401901247953',
  '0070999000000123456784',
  '0110599500000123456784',
  '2850001000000123456784',
])('accepts %s as a CBU, not a CVU', (text) => {
  expect([isCbu(text), isCvu(text)]).toEqual([true, false]);
});

test.each([
  '0000003100062244154712',
  '0000003100069717569312',
  '0000013000000325120058',
  '0000007900274192912058',
  '0000003100046971805701',
  '0000007900203796201767',
  '0000999100000000123459',
])('accepts %s as a CVU, not a CBU', (text) => {
  expect([isCvu(text), cbuFault(text)]).toEqual([true, 'cvu']);
});

test.each([
  ['2810590940090418135201', 'first-check-digit'],
  ['2850590940090418135202', 'second-check-digit'],
  ['0140356690000000123457', 'first-check-digit'],
  ['0000003100010000000001', 'second-check-digit'],
  ['285059094009041813520', 'format'],
  ['2850590940090418135201\n', 'format'],
  ['2850590940090418135a01', 'format'],
  ['', 'format'],
])('refuses %j as a CBU for its %s', (text, fault) => {
  expect(cbuFault(text)).toBe(fault);
  expect(isCvu(text)).toBe(false);
});

test('detects any single wrong digit of a CBU', () => {
  const valid = '2850590940090418135201';
  for (let at = 0; at < valid.length; at += 1) {
    for (let digit = 0; digit < 10; digit += 1) {
      const changed = valid.slice(0, at) + digit + valid.slice(at + 1);
      expect(isCbu(changed)).toBe(changed === valid);
    }
  }
});

test('treats a wallet key whose reserved digit is not zero as neither CBU nor CVU', () => {
  const keys = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `000000311006224415471${digit}`);
  const checked = keys.filter((key) => cbuFault(key) === 'cvu');
  expect(checked.map((key) => [isCvu(key), isCbu(key)])).toEqual([[false, false]]);
});

test('builds a CVU from provider and client', () => {
  expect(buildCvu('0003', '006224415471')).toBe('0000003100062244154712');
  expect(buildCvu('9991', 12_345)).toBe(buildCvu('9991', '12345'));
  expect(buildCvu('0007', '027419291205')).toBe('0000007900274192912058');
});

test('builds only valid CVUs, each with its client', () => {
  const psp = fc.stringMatching(/^\d{4}$/);
  fc.assert(
    fc.property(psp, fc.integer({ min: 0, max: 999_999_999_999 }), (provider, client) => {
      const cvu = buildCvu(provider, client);
      expect(isCvu(cvu)).toBe(true);
      expect([cvu.slice(3, 7), Number(cvu.slice(9, 21))]).toEqual([provider, client]);
    }),
  );
});

test('throws RangeError for a provider or client that does not fit a CVU', () => {
  const wrong: [string, number | string][] = [
    ['003', 1],
    ['00003', 1],
    ['0003', -1],
    ['0003', 1.5],
    ['0003', 1e12],
    ['0003', ''],
  ];
  for (const [psp, client] of wrong) expect(() => buildCvu(psp, client)).toThrow(RangeError);
});

test.each(['20055361682', '20267565393', '30692264785', '30598910045'])(
  'accepts %s as a CUIT',
  (text) => {
    expect(isCuit(text)).toBe(true);
  },
);

test.each([
  ['20267565392', 'check-digit'],
  ['21267565393', 'prefix'],
  ['20-26756539-3', 'format'],
  ['2026756539', 'format'],
  ['', 'format'],
])('refuses %j as a CUIT for its %s', (text, fault) => {
  expect(cuitFault(text)).toBe(fault);
});

test('gives a CUIT check digit 0 for remainder 0, and 9 where the rule gives 10', () => {
  expect([isCuit('20100000130'), isCuit('20100000059')]).toEqual([true, true]);
});

test('accepts exactly one check digit for a CUIT, even for remainders 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
      const body = `20${String(number).padStart(8, '0')}`;
      const right = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => isCuit(`${body}${digit}`));
      expect(right).toHaveLength(1);
    }),
  );
});
