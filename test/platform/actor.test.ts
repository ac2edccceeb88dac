import { expect, test } from 'vitest';
import { type Actor, actorText, payer, readActor, system } from '../../src/platform/actor.ts';

const texts: [Actor, string][] = [
  [{ kind: 'key', prefix: 'abc', id: 12 }, 'key:abc:12'],
  // The sandbox's key may be any visible text.
  [{ kind: 'key', prefix: 'a:9:b', id: 7 }, 'key:a:9:b:7'],
  [{ kind: 'user', id: 3 }, 'user:3'],
  [
    { kind: 'operator', user: 'ana', host: 'caja-1', command: 'accounts set' },
    'operator:ana@caja-1:accounts set',
  ],
  [
    { kind: 'operator', user: 'ana@dominio', host: 'h', command: 'fees end' },
    'operator:ana@dominio@h:fees end',
  ],
  [{ kind: 'connector', name: 'bank' }, 'connector:bank'],
  [{ kind: 'rail', name: 'direct-debit-350' }, 'rail:direct-debit-350'],
  [payer, 'payer'],
  [system, 'system'],
];

test.each(texts)('writes and reads back an actor unchanged: %o', (actor, text) => {
  expect(actorText(actor)).toBe(text);
  expect(readActor(text)).toEqual(actor);
});

test.each(['', 'operator', 'key:abc', 'user:x', 'nobody', '{"kind":"payer"}'])(
  'refuses a text that names no actor: %s',
  (text) => {
    expect(() => readActor(text)).toThrow('names no actor');
  },
);
