import { expect, test, vi } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { LocalizedText, type ParameterSpec } from '../../src/language/localized-text.ts';
import {
  declareRefusals,
  readStoredCode,
  readStoredText,
  storedText,
} from '../../src/platform/refusals.ts';

const say = (
  en: string,
  es: string,
  parameters: Record<string, unknown> = {},
  spec: ParameterSpec = {},
): LocalizedText =>
  new LocalizedText(
    { key: 'a.code', texts: { en: { 'a.code': en }, es: { 'a.code': es } }, spec },
    parameters,
  );

test('formats money and days for each language', () => {
  const said = say(
    '{left} until {day}',
    'Quedan {left} hasta el {day}',
    { left: centavos(143_050), day: Temporal.PlainDate.from('2026-12-05') },
    { left: 'money', day: 'day' },
  );
  expect(said.in('en')).toBe('1430.50 until 05-12-2026');
  expect(said.in('es')).toBe('Quedan $\u00a01.430,50 hasta el 05-12-2026');
});

test('formats instants as Argentine dates and times', () => {
  const at = (moment: string) =>
    say('{at}', 'desde el {at}', { at: Temporal.Instant.from(moment) }, { at: 'moment' });
  const early = at('2026-12-05T02:30:00Z');
  expect([early.in('en'), early.in('es')]).toEqual([
    '04-12-2026 23:30',
    'desde el 04-12-2026 a las 23:30',
  ]);
  expect(at('2026-12-05T12:00:07.9Z').in('en')).toBe('05-12-2026 09:00:07');
});

test('chooses the language’s plural form for a count', () => {
  const days = (count: number): string =>
    say('', '{n, plural, one {# día} other {# días}}', { n: count }, { n: 'count' }).in('es');
  expect([days(1), days(30)]).toEqual(['1 día', '30 días']);
});

test.each(['{braces} and {more', '<b>bold</b>', "it's '{quoted}'", '\u202eright to left'])(
  'renders a parameter %s unchanged',
  (reference) => {
    const said = say('The reference {reference}.', '', { reference }, { reference: 'text' });
    expect(said.in('en')).toBe(`The reference ${reference}.`);
  },
);

test('renders a text within another in the same language', () => {
  const wanted = say('Send a list.', 'Mandá una lista.');
  const said = say('Wrong. {wanted}', 'Está mal. {wanted}', { wanted }, { wanted: 'nested' });
  expect([said.in('en'), said.in('es')]).toEqual([
    'Wrong. Send a list.',
    'Está mal. Mandá una lista.',
  ]);
});

test('falls back to English for an unsupported language', () => {
  expect(say('Hello.', 'Hola.').in('de')).toBe('Hello.');
});

test('falls back to English, with a warning, if a translation cannot be rendered', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    expect(say('At most {most}.', 'Hasta {otro}.', { most: 'x' }, { most: 'text' }).in('es')).toBe(
      'At most {most}.',
    );
    expect(warned).toHaveBeenCalledOnce();
  } finally {
    warned.mockRestore();
  }
});

test('writes texts to JSON and logs in English', () => {
  expect(JSON.stringify({ told: say('Hello.', 'Hola.') })).toBe('{"told":"Hello."}');
});

test('renders a stored text in its reader’s language, or in English if its code is unknown', () => {
  const en = { 'a.stored': '{left} until {day}, of {who}.' };
  const es = { 'a.stored': 'Quedan {left} hasta el {day}, de {who}.' };
  const parameters = { left: 'money', day: 'day', who: 'text' } as const;
  const { fault } = declareRefusals(
    { 'a.stored': { kind: 'field', parameters, help: '' } },
    { en, es },
  );
  const day = Temporal.PlainDate.from('2026-12-05');
  const stored = storedText(fault('a.stored', { left: centavos(143_050), day, who: '"{x}"' }));
  const read = readStoredText(stored);
  if (typeof read === 'string') throw new Error(`${read} has no code`);
  expect(read.in('en')).toBe('1430.50 until 05-12-2026, of "{x}".');
  expect(read.in('es')).toBe('Quedan $\u00a01.430,50 hasta el 05-12-2026, de "{x}".');
  const outer = declareRefusals(
    { 'a.outer': { kind: 'field', parameters: { inner: 'nested' }, help: '' } },
    { en: { 'a.outer': 'First. {inner}' }, es: { 'a.outer': 'Primero. {inner}' } },
  );
  const within = readStoredCode(
    JSON.parse(JSON.stringify(outer.fault('a.outer', { inner: read }).kept())),
  );
  expect(within?.in('en')).toBe('First. 1430.50 until 05-12-2026, of "{x}".');
  expect(within?.in('es')).toBe(`Primero. ${read.in('es')}`);
  const listed = declareRefusals(
    { 'a.listed': { kind: 'field', parameters: { faults: 'lines', at: 'moment' }, help: '' } },
    { en: { 'a.listed': 'At {at}:\n{faults}' }, es: { 'a.listed': 'El {at}:\n{faults}' } },
  );
  const at = Temporal.Instant.from('2026-12-05T12:00:00Z');
  const list = readStoredText(storedText(listed.fault('a.listed', { faults: [read, read], at })));
  if (typeof list === 'string') throw new Error(`${list} has no code`);
  const line = read.in('es');
  expect(list.in('es')).toBe(`El 05-12-2026 a las 09:00:\n${line}\n${line}`);
  // Another release may have stored codes or parameters that this one does not know.
  const english = '1430.50 until 05-12-2026, of "{x}".';
  expect(readStoredText(stored.replace('a.stored', 'a.gone'))).toBe(english);
  expect(readStoredText(stored.replace('"who"', '"whom"'))).toBe(english);
  expect(readStoredText(storedText('A sentence of before codes.'))).toBe(
    'A sentence of before codes.',
  );
});
