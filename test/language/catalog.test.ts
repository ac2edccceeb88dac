import { expect, test, vi } from 'vitest';
import { catalog } from '../../src/language/catalog.ts';

const texts = {
  en: {
    title: 'Refunds',
    raw: 'An object, like {"shop": "1"}.',
    one: 'Refund {id}',
    steps: ['Open', 'Pay'],
    limit: { on: 'Above {above}', off: 'None' },
    whys: { late: 'After {day}', gone: 'Gone' },
  },
  es: {
    title: 'Devoluciones',
    raw: 'Un objeto, como {"comercio": "1"}.',
    one: 'Devolución {id}',
    steps: ['Abrí', 'Pagá'],
    limit: { on: 'Más de {above}', off: 'Ninguno' },
    whys: { late: 'Después del {day}', gone: 'No está' },
  },
};
const words = catalog(texts, {
  one: { id: 'count' },
  limit: { on: { above: 'text' } },
  whys: { day: 'text' },
});

test('returns texts without parameters as strings', () => {
  expect(words.es.title).toBe('Devoluciones');
  expect(words.en.raw).toBe('An object, like {"shop": "1"}.');
  expect(words.es.steps).toEqual(['Abrí', 'Pagá']);
  expect(words.en.limit.off).toBe('None');
});

test('inserts parameters by name, in groups too', () => {
  expect(words.es.one({ id: 12_345 })).toBe('Devolución 12345');
  expect(words.en.limit.on({ above: '$ {1}' })).toBe('Above $ {1}');
});

test('accepts a group’s parameters in each of its texts, used or not', () => {
  const why = (key: keyof typeof words.en.whys) => words.en.whys[key]({ day: '05-12' });
  expect([why('late'), why('gone')]).toEqual(['After 05-12', 'Gone']);
});

test('renders a text despite a missing parameter', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  expect(words.es.one({} as { id: number })).toBe('Devolución NaN');
  expect(words.es.limit.on({} as { above: string })).toBe('Más de undefined');
  warned.mockRestore();
});
