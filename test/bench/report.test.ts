import { expect, test } from 'vitest';
import { figure } from '../../bench/numbers.ts';
import {
  compare,
  floor,
  isMet,
  limit,
  reportJson,
  reportText,
  table,
  told,
} from '../../bench/report.ts';

const create = compare(
  'create',
  'req/s',
  { ours: [300, 310, 290], reference: [200, 190, 210] },
  { bound: 'least', ratio: 1.5, of: 'one INSERT' },
  { hello: figure([900, 1000, 950], 'req/s') },
);
const p99 = limit('create.p99', figure([60, 50, 40], 'ms'), 50);

test('counts a minimum ratio as met exactly at the bound', () => {
  expect(create.ratio.value).toBe(1.5);
  expect(isMet(create)).toBe(true);
  expect(isMet({ ...create, target: { ...create.target, ratio: 1.51 } })).toBe(false);
});

test('counts a maximum ratio as met exactly at the bound', () => {
  const rounds = { ours: [20], reference: [10] };
  const at = (ratio: number) => compare('p99', 'ms', rounds, { bound: 'most', ratio, of: 'hello' });
  expect(isMet(at(2))).toBe(true);
  expect(isMet(at(1.99))).toBe(false);
  expect(reportText([at(2)])).toContain('<= 2 x hello');
});

test('counts a figure without a bound as met', () => {
  const pay = told('mixed.pay', 'ms', { ours: [90], reference: [1] }, 'hello');
  expect(isMet(pay)).toBe(true);
  expect(reportText([pay])).toMatch(/mixed\.pay +90\.0 x +beside hello +told/);
});

test('counts a limit as met below its bound, and as missed at the bound', () => {
  expect(p99.ratio.value).toBe(1);
  expect(isMet(p99)).toBe(false);
  expect(isMet(limit('p99', figure([49.9], 'ms'), 50))).toBe(true);
});

test('counts a floor as met exactly at the bound', () => {
  expect(isMet(floor('rate', figure([3000], '/s'), 3000))).toBe(true);
  expect(isMet(floor('rate', figure([2999], '/s'), 3000))).toBe(false);
});

test('writes ratio, ours, reference, unit, target and others to the JSON by name', () => {
  expect(JSON.parse(JSON.stringify(reportJson([create, p99])))).toEqual({
    create: {
      ratio: 1.5,
      ours: 300,
      reference: 200,
      unit: 'req/s',
      target: '>= 1.5 x one INSERT',
      others: { hello: { value: 950, min: 900, max: 1000, unit: 'req/s' } },
    },
    'create.p99': {
      ratio: 1,
      ours: 50,
      reference: 50,
      unit: 'ms',
      target: '< 1 x 50 ms',
      others: {},
    },
  });
});

test('shows the ratios with their targets before any detail', () => {
  const lines = reportText([create, p99]).split('\n');
  expect(lines[1]).toMatch(/^create +1\.50 x \(1\.38–1\.63\) +>= 1\.5 x one INSERT +met$/);
  expect(lines[2]).toMatch(/^create\.p99 +1\.00 x \(0\.80–1\.20\) +< 1 x 50 ms +NOT MET$/);
  expect(lines[3]).toBe('');
  expect(lines.slice(4).join('\n')).toMatch(/hello +950 req\/s \(900–1000\)/);
});

test('aligns columns, without trailing spaces', () => {
  expect(
    table([
      ['a', 'bb', 'c'],
      ['aaa', '', ''],
      ['', 'b', 'ccc'],
    ]),
  ).toBe('a    bb  c\naaa\n     b   ccc');
});
