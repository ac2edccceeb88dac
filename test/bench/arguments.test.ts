import { expect, test } from 'vitest';
import { readArguments } from '../../bench/arguments.ts';

const known = ['create', 'get', 'start'];

test('runs all cases in order if none is named', () => {
  expect(readArguments([], known)).toEqual({
    names: known,
    json: null,
    seconds: 3,
    rounds: 3,
    connections: 64,
    rows: null,
    minutes: 60,
  });
});

test('runs an hours-long case only if it is named', () => {
  expect(readArguments([], known, ['get']).names).toEqual(['create', 'start']);
  expect(readArguments(['get'], known, ['get']).names).toEqual(['get']);
});

test('accepts case names, with options in any position', () => {
  const settings = readArguments(['start', '--json', 'out.json', 'create', '--seconds=7'], known);
  expect(settings).toMatchObject({ names: ['create', 'start'], json: 'out.json', seconds: 7 });
});

test.each([
  [['creat'], 'There is no case creat; the cases: create, get, start.'],
  [['--rounds', '0'], '--rounds must be a whole number from 1 to 99.'],
  [['--seconds', '1.5'], '--seconds must be a whole number from 1 to 600.'],
  [['--rows', 'many'], '--rows must be a whole number from 1 to 100000000.'],
  [['--minutes', '0'], '--minutes must be a whole number from 1 to 1440.'],
  [['--fast'], "Unknown option '--fast'"],
  [['--json'], "'--json <value>' argument missing"],
])('refuses %j with an explanation', (args, message) => {
  expect(() => readArguments(args, known)).toThrow(TypeError);
  expect(() => readArguments(args, known)).toThrow(message);
});
