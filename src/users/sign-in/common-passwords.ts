import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const file = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  'assets',
  'common-passwords.txt',
);

let words: ReadonlySet<string> | undefined;

/** Read once, by who first needs it. */
function commonWords(): ReadonlySet<string> {
  words ??= new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return words;
}

/** Whether a password is one of the most common, or such a one with digits or signs around it. */
export function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const [, repeated = ''] = /^(.+?)\1+$/su.exec(plain) ?? [];
  return [plain, core, repeated].some((one) => commonWords().has(one)) || isMonotone(plain);
}

/** `aaaaaaaaaa`, `abcabcabcabc`, `1234567890`. */
function isMonotone(text: string): boolean {
  if (/^(.{1,4}?)\1+.{0,3}$/su.test(text)) return true;
  const codes = [...text].map((one) => one.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}
