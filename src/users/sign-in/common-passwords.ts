import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'assets');

/**
 * The 20,000 most common passwords, sorted and compressed with Brotli: data/passwords.txt of
 * zxcvbn, https://github.com/dropbox/zxcvbn at 67c4ece9efc4, Copyright (c) 2012-2016 Dan Wheeler
 * and Dropbox, Inc., MIT License.
 */
const common = (): Buffer =>
  brotliDecompressSync(readFileSync(path.join(folder, 'common-passwords.txt.br')));

const spanish = (): Buffer => readFileSync(path.join(folder, 'spanish-passwords.txt'));

let words: ReadonlySet<string> | undefined;

/** Returns the common passwords, parsed on first use. */
function commonWords(): ReadonlySet<string> {
  words ??= new Set(
    [common(), spanish()]
      .flatMap((text) => text.toString('utf8').split('\n'))
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return words;
}

/**
 * Returns true for a common password, even repeated or with digits or signs around it, and for runs
 * such as `abcdefghij`.
 */
export function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  // bounded: 128 characters of a password
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const [, repeated = ''] = /^(.+?)\1+$/su.exec(plain) ?? [];
  const forms = [plain, core, repeated];
  return forms.some((one) => commonWords().has(one) || isSpanish(one)) || isMonotone(plain);
}

/**
 * Returns true for a common Spanish word, ignoring accents and substituted characters:
 * `Contraseña`, `b0ca`, `m3ssi`.
 */
function isSpanish(text: string): boolean {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '');
  const letters = bare.replace(/[013457@$]/g, (sign) => signs[sign] ?? sign);
  const core = letters.replace(/[^a-z]/g, '');
  return [bare, letters, core].some((one) => commonWords().has(one));
}

const signs: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
};

/** Returns true for `aaaaaaaaaa`, `abcabcabcabc`, `abcdefghij`. */
function isMonotone(text: string): boolean {
  if (/^(.{1,4}?)\1+.{0,3}$/su.test(text)) return true;
  const codes = [...text].map((one) => one.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}
