import { expect, test } from 'vitest';
import { text } from '../../src/platform/http/fields.ts';
import { required } from '../../src/platform/http/form.ts';
import { listing } from '../../src/platform/listings.ts';
import { type Operation, operation } from '../../src/platform/operations.ts';
import type { Portal } from '../../src/portal/frame/index.ts';
import { operationPages } from '../../src/portal/frame/operation.tsx';
import { isAccountAct, mayDo } from '../../src/users/index.ts';
import {
  declaredListings,
  declaredOperations,
  listingFaults,
  operationFaults,
} from '../../tools/operations.ts';

const whole = {
  'a.do.does': 'do it',
  'a.do.note': 'why',
  'a.do.done': 'done',
  'a.do.submit': 'Do',
};
const declared = (en: Record<string, string>, es: Record<string, string>): Operation =>
  operation({
    name: 'a.do',
    act: 'home.see',
    texts: { en, es },
    takes: { note: required(text({ max: 9 })) },
    repeat: 'natural',
    run: async (_verb: never) => 'done',
    command: { shows: () => ({}) },
  });

test('gives every operation a permitted role and the texts of its interfaces', async () => {
  const all = await declaredOperations();
  expect(all.map(({ name }) => name)).toContain('suspense.assign');
  expect(operationFaults(all)).toEqual([]);
  for (const { name, act } of all) {
    const may = isAccountAct(act as 'home.see') ? 'owner' : 'operator';
    expect([name, mayDo(may, act as 'home.see')]).toEqual([name, true]);
  }
});

test('gives every listing a permitted role and the texts of its command', async () => {
  const all = await declaredListings();
  expect(all.map(({ name }) => name)).toContain('suspense.list');
  expect(listingFaults(all)).toEqual([]);
  for (const { name, act } of all) {
    const may = isAccountAct(act as 'home.see') ? 'owner' : 'operator';
    expect([name, mayDo(may, act as 'home.see')]).toEqual([name, true]);
  }
});

test('reports the missing text of a listing’s command', () => {
  const bare = listing({
    name: 'a.list',
    act: 'home.see',
    takes: { note: required(text({ max: 9 })) },
    texts: { en: { 'a.list.does': 'list them' }, es: {} },
    read: async () => [],
    columns: {},
  });
  expect(listingFaults([bare as never])).toEqual(['a.list.note has no text in en']);
});

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['a sound declaration', whole, { 'a.do.note': 'Por qué', 'a.do.submit': 'Hacer' }, []],
  [
    'a page without Spanish',
    whole,
    {},
    ['note', 'submit'].map((key) => `a.do.${key} has no text in es`),
  ],
  [
    'a command without help',
    { 'a.do.done': 'done' },
    {},
    ['note', 'does'].map((key) => `a.do.${key} has no text in en`),
  ],
])('reports the missing texts, if any, of %s', (_name, en, es, faults) => {
  expect(operationFaults([declared(en, es)])).toEqual(faults);
});

test('reports an operation without any interface', () => {
  const { command: _, ...bare } = declared({}, {});
  expect(operationFaults([bare])).toEqual(['a.do has no door']);
});

test('refuses a page for an operation without the text of its button', () => {
  const serve = (of: Operation) => () =>
    operationPages({} as Portal, of as Operation<never, never, never, 'home.see'>, {
      path: '/do',
      verbOf: () => undefined as never,
      back: () => '',
      page: async () => ({ title: '', body: null }),
      done: () => ({ to: '' }),
    });
  expect(serve(declared(whole, {}))).toThrow('a.do has no page');
});
