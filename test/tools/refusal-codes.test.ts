import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import {
  declaredListings,
  declaredOperations,
  listingKeys,
  operationKeys,
} from '../../tools/operations.ts';
import {
  codeFaults,
  type Declared,
  declaredCodes,
  refusalCodes,
  sourcesOf,
  strayCodes,
} from '../../tools/refusal-codes.ts';

const help = 'Wait.';
const sound: Declared = {
  noun: 'a',
  codes: { 'a.late': { kind: 'conflict', parameters: { days: 'count' }, help } },
  texts: { en: { 'a.late': 'By {days} days.' }, es: { 'a.late': 'Por {days} días.' } },
};
const sources = ["throw refusal('a.late', { days });"];

test('has texts for every code, and a code and parameters for every text', async () => {
  const all = await declaredCodes();
  expect(all.map(({ noun }) => noun)).toContain('money/refunds');
  const listings = listingKeys(await declaredListings());
  const keys = operationKeys(await declaredOperations()).union(listings);
  expect(codeFaults(all, await sourcesOf(packageRoot()), keys)).toEqual([]);
});

test('lists every code in only one table, and those of pages and commands in the last table', async () => {
  const all = await declaredCodes();
  const wanted = all.flatMap(({ codes }) =>
    Object.entries(codes).flatMap(([code, { kind }]) => (kind === 'part' ? [] : [code])),
  );
  expect(strayCodes(all)).toEqual([]);
  const text = refusalCodes(all);
  const codesIn = (part: string) => [...part.matchAll(/^\| `(.+?)` /gm)].map(([, code]) => code);
  expect(codesIn(text).toSorted()).toEqual(wanted.toSorted());
  const [ofCalls = '', ofPages = ''] = text.split('### Portal and commands');
  expect(codesIn(ofCalls)).toEqual(
    expect.arrayContaining(['invalid_fields', 'request.not_payable', 'qr.id_taken']),
  );
  expect(codesIn(ofPages)).toEqual(
    expect.arrayContaining(['password.short', 'payout.not_covered', 'refund.ended']),
  );
});

test('finds no fault in a sound declaration', () => {
  expect(codeFaults([sound], sources)).toEqual([]);
});

const { texts } = sound;
test.each<[string, Partial<Declared>, string]>([
  ['a missing text', { texts: { ...texts, es: {} } }, 'a.late has no text in es'],
  [
    'a text without a code',
    { texts: { ...texts, en: { ...texts.en, 'a.gone': 'Gone.' } } },
    'a has a text for a.gone in en, which is no code',
  ],
  [
    'an unknown parameter',
    { texts: { ...texts, es: { 'a.late': 'Por {dias} días.' } } },
    'a.late uses {dias} in es, which it is not given',
  ],
  [
    'an unknown parameter of a selection',
    { texts: { ...texts, en: { 'a.late': '{days, plural, one {a day} other {{n} days}}' } } },
    'a.late uses {n} in en, which it is not given',
  ],
  [
    'an idle parameter',
    { texts: { en: { 'a.late': 'Late.' }, es: { 'a.late': 'Tarde.' } } },
    'a.late is given days, and no text uses it',
  ],
])('reports %s', (_name, change, fault) => {
  expect(codeFaults([{ ...sound, ...change }], sources)).toContain(fault);
});

test('reports a broken text, a code declared twice and an unused code', () => {
  const broken = { ...texts, en: { 'a.late': 'By {days days.' } };
  expect(codeFaults([{ ...sound, texts: broken }], sources)).toEqual([
    expect.stringContaining('a.late cannot be read in en'),
  ]);
  expect(codeFaults([sound, sound], sources)).toEqual(['a.late is declared twice']);
  expect(codeFaults([sound], [])).toEqual(['nothing refuses with a.late']);
});
