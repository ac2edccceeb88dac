import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { eventTypes } from '../../src/events/index.ts';
import { accountActs, serviceActs } from '../../src/users/index.ts';
import { declaredCodes } from '../../tools/refusal-codes.ts';

const root = path.join(import.meta.dirname, '../../src');

async function sources(): Promise<{ file: string; text: string }[]> {
  const files = await Array.fromAsync(glob('**/*.ts', { cwd: root }));
  return await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(path.join(root, file), 'utf8') })),
  );
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one);

/** Folders whose dotted names are not event types, such as connectors' reports. */
const elsewhere = /^(portal|connectors|checkout\/assets)\//;

/** Returns the event types that appear in the code, whole or in parts. */
export async function typesOfCode(): Promise<Set<string>> {
  const all = await sources();
  const own = all.filter(({ file }) => !elsewhere.test(file));
  const texts = own
    .filter(({ file }) => !['codes.ts', 'operations.ts'].includes(path.basename(file)))
    .map(({ text }) => text);
  const entities = new Set(texts.flatMap((text) => found(text, /[eE]ntity(?:: | = )'(\w+)'/g)));
  const types = new Set<string>(eventTypes.map(({ name }) => name));
  for (const text of texts) {
    for (const type of found(text, /type(?:: | = )[^;\n]*?'(\w+\.\w+)'/g)) types.add(type);
    for (const type of found(text, /'(\w+\.\w+)'/g)) {
      if (entities.has(type.split('.')[0] ?? '')) types.add(type);
    }
  }
  const textOf = (name: string) => own.find(({ file }) => file === name)?.text ?? '';
  const composed: [string, RegExp, string[]][] = [
    ['requests/kinds.ts', /^ {2}\w+: '(\w+)',$/gm, ['payment_request', 'debit_request', 'qr']],
    ['requests/kinds.ts', /^ {2}\w+: '(\w+)',$/gm, ['card_debit_request']],
    ['imports/import.ts', /event: '(\w+)'/g, ['import']],
    ['money/proposals/decide.ts', /type: '(\w+)'/g, ['proposal']],
    ['mandates/remind.ts', /'(link_renewed|letter_resent)'/g, ['adhesion', 'card_adhesion']],
    [
      'webhooks/subscriptions/trail.ts',
      /'(created|edited|rotated|paused|resumed|removed)'/g,
      ['webhook'],
    ],
    ['rails/desk/uploads.ts', /'(removed|expired)'/g, ['rail_upload']],
    ['secrets/store.ts', /'(created|retired|rewrapped)'/g, ['service_key']],
  ];
  for (const [file, pattern, kinds] of composed) {
    const parts = found(textOf(file), pattern);
    expect(parts, file).not.toEqual([]);
    for (const kind of kinds) for (const part of parts) types.add(`${kind}.${part}`);
  }
  // Permissions and error codes have names of the same form; a webhook test is only sent, never
  // recorded.
  const codes = (await declaredCodes()).flatMap(({ codes: own }) => Object.keys(own));
  const acts = [...Object.keys(accountActs), ...Object.keys(serviceActs)];
  for (const other of [...acts, ...codes, 'webhook.test']) types.delete(other);
  return types;
}
