import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openVault } from '../../src/platform/vault.ts';

const keyOf = (id: string) => ({ id, key: randomBytes(32) });
const old = keyOf('old');
const vault = openVault([old]);

test('what is sealed for a place can be opened there', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(vault.open(vault.seal(text, context), context)).toBe(text);
    }),
  );
});

test('the same text is sealed differently each time, and never lies in the ciphertext', () => {
  const [one, two] = [vault.seal('4507990000004905', 'a'), vault.seal('4507990000004905', 'a')];
  expect(one.ciphertext.equals(two.ciphertext)).toBe(false);
  expect(one.ciphertext.toString('latin1')).not.toContain('4507990000004905');
});

test('a ciphertext opens nowhere else', () => {
  expect(() => vault.open(vault.seal('secret', 'card 1'), 'card 2')).toThrow();
});

test('a ciphertext that was changed anywhere, or cut, does not open', () => {
  const { keyId, ciphertext } = vault.seal('4507990000004905', 'a');
  for (let at = 0; at < ciphertext.length; at += 1) {
    const changed = Buffer.from(ciphertext);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.open({ keyId, ciphertext: changed }, 'a')).toThrow();
    expect(() => vault.open({ keyId, ciphertext: ciphertext.subarray(0, at) }, 'a')).toThrow();
  }
});

test('a new key in front seals, and the old one still opens', () => {
  const rotated = openVault([keyOf('new'), old]);
  expect(rotated.keyId()).toBe('new');
  expect(rotated.seal('x', 'a').keyId).toBe('new');
  expect(rotated.open(vault.seal('secret', 'a'), 'a')).toBe('secret');
});

test('a key that is configured no more is named', () => {
  expect(() => openVault([keyOf('new')]).open(vault.seal('secret', 'a'), 'a')).toThrow(
    'The vault has no key "old"',
  );
});

test('of two keys with one name the first both seals and opens', () => {
  const first = openVault([keyOf('same'), keyOf('same')]);
  expect(first.open(first.seal('secret', 'a'), 'a')).toBe('secret');
});

test('a blinded digest is the same for the same key, and another for another key', () => {
  const digest = randomBytes(32);
  expect(vault.blind(digest).equals(openVault([old]).blind(digest))).toBe(true);
  expect(vault.blind(digest).equals(openVault([keyOf('old')]).blind(digest))).toBe(false);
  expect(vault.blind(digest).equals(digest)).toBe(false);
});
