import { expect, test } from 'vitest';
import { isEmail, longestEmail } from '../../src/kernel/email.ts';

test.each([
  'ana@example.com',
  'ana.pérez+cuota@mail.coop.ar',
  "o'higgins@example.museum",
  `${'a'.repeat(longestEmail - 5)}@b.ar`,
])('accepts %s as an e-mail address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '',
  'ana',
  'ana@',
  '@example.com',
  'ana@example',
  'ana@example..com',
  'ana@.com',
  'ana @example.com',
  'ana@example.com,eve@example.com',
  'Ana <ana@example.com>',
  'a<b@x.com',
  '"ana"@example.com',
  'ana@[127.0.0.1]',
  `${'a'.repeat(longestEmail - 4)}@b.ar`,
])('refuses %j as an e-mail address', (text) => {
  expect(isEmail(text)).toBe(false);
});
