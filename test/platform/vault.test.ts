import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVault } from '../../src/platform/vault.ts';

const keyOf = (id: string) => ({ id, key: randomBytes(32) });
const old = keyOf('old');
const vault = createVault([old]);

test('decrypts values in the context they were encrypted for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(vault.decrypt(vault.encrypt(text, context), context)).toBe(text);
    }),
  );
});

test('encrypts the same text differently each time, and never leaves it in the ciphertext', () => {
  const [one, two] = [
    vault.encrypt('4507990000004905', 'a'),
    vault.encrypt('4507990000004905', 'a'),
  ];
  expect(one.ciphertext.equals(two.ciphertext)).toBe(false);
  expect(one.ciphertext.toString('latin1')).not.toContain('4507990000004905');
});

test('does not decrypt a ciphertext in another context', () => {
  expect(() => vault.decrypt(vault.encrypt('secret', 'card 1'), 'card 2')).toThrow();
});

test('rejects a ciphertext that was changed or truncated', () => {
  const { keyId, ciphertext } = vault.encrypt('4507990000004905', 'a');
  for (let at = 0; at < ciphertext.length; at += 1) {
    const changed = Buffer.from(ciphertext);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.decrypt({ keyId, ciphertext: changed }, 'a')).toThrow();
    expect(() => vault.decrypt({ keyId, ciphertext: ciphertext.subarray(0, at) }, 'a')).toThrow();
  }
});

test('encrypts with a new first key, and still decrypts with the old one', () => {
  const rotated = createVault([keyOf('new'), old]);
  expect(rotated.keyId()).toBe('new');
  expect(rotated.encrypt('x', 'a').keyId).toBe('new');
  expect(rotated.decrypt(vault.encrypt('secret', 'a'), 'a')).toBe('secret');
});

test('fails to decrypt with a key that is no longer configured, and names the key', () => {
  expect(() => createVault([keyOf('new')]).decrypt(vault.encrypt('secret', 'a'), 'a')).toThrow(
    'The vault has no key "old"',
  );
});

test('uses the first of two keys with one name to encrypt and decrypt', () => {
  const first = createVault([keyOf('same'), keyOf('same')]);
  expect(first.decrypt(first.encrypt('secret', 'a'), 'a')).toBe('secret');
});

test('computes the same blinded digest under one key, and a different one under another', () => {
  const digest = randomBytes(32);
  expect(vault.blind(digest).equals(createVault([old]).blind(digest))).toBe(true);
  expect(vault.blind(digest).equals(createVault([keyOf('old')]).blind(digest))).toBe(false);
  expect(vault.blind(digest).equals(digest)).toBe(false);
  const changed = createVault([keyOf('new'), old]);
  expect(changed.blindBefore(digest)).toEqual([createVault([old]).blind(digest)]);
  expect(vault.blindBefore(digest)).toEqual([]);
});
