import { expect, test } from 'vitest';
import { passwordFault } from '../../src/users/index.ts';

const email = 'eva.perez@example.com';

test('requires at least twelve characters', () => {
  expect(passwordFault('perro verde', email)).toBe('short');
  expect(passwordFault('perro verdes', email)).toBe(null);
});

test.each([
  'Contraseña2026!',
  'contrasena.2026',
  'BocaJuniors1905',
  '2026riverplate!!',
  'b0caJun10rs!2026',
  'BuenosAires2026',
  'Argentina2022!!',
  'V3lez$arsf1eld!',
])('refuses %s, which only decorates a local word', (password) => {
  expect(passwordFault(password, email)).toBe('common');
});

test.each(['1234-Alexander', 'Mustang-19-2026', '..Volleyball..', 'Zeppelin!2026'])(
  'refuses %s, which only decorates a common password',
  (password) => {
    expect(passwordFault(password, email)).toBe('common');
  },
);

test('accepts a phrase of several words, even with a local word in it', () => {
  expect(passwordFault('mi perro mira a boca', email)).toBe(null);
  expect(passwordFault('rosa-de-los-vientos', email)).toBe(null);
  expect(passwordFault('tres tristes tigres', email)).toBe(null);
});
