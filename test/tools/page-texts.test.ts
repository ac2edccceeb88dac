import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { type PageTexts, pageFaults, pageTexts, wordsOf } from '../../tools/page-texts.ts';

const sound: PageTexts = {
  name: 'a/texts',
  texts: {
    en: { title: 'Refunds', one: 'Refund {id}', states: { done: 'Done' } },
    es: { title: 'Devoluciones', one: 'Devolución {id}', states: { done: 'Hecha' } },
  },
  spec: { one: { id: 'count' } },
  users: ['texts.title; texts.one({ id }); texts.states[state];'],
};
const words = "type State = 'done';";
const { en, es } = sound.texts;

test('gives every page text both languages, its parameters and a use', async () => {
  const root = packageRoot();
  const all = await pageTexts(root);
  expect(all.map(({ name }) => name)).toContain('portal/disputes/texts');
  expect(pageFaults(all, await wordsOf(root))).toEqual([]);
}, 60_000);

test('finds no fault in sound texts', () => {
  expect(pageFaults([sound], words)).toEqual([]);
});

test.each<[string, Partial<PageTexts>, string]>([
  ['a missing text', { texts: { en, es: { ...es, states: {} } } }, 'states.done has no text in es'],
  ['a missing group', { texts: { en: { ...en, more: {} }, es } }, 'more has no text in es'],
  [
    'a parameter that is not declared',
    { texts: { en: { ...en, title: 'Refunds of {day}' }, es } },
    'title has a parameter in en, and none is declared',
  ],
  [
    'an unknown parameter',
    { texts: { en, es: { ...es, one: 'Devolución {numero}' } } },
    'one uses {numero} in es, which it is not given',
  ],
  [
    'an idle parameter',
    { spec: { one: { id: 'count', day: 'text' } } },
    'one is given day, and no text uses it',
  ],
  [
    'parameters without a text',
    { spec: { ...sound.spec, gone: { id: 'count' } } },
    'gone has parameters and no text',
  ],
  [
    'a broken text',
    { texts: { en: { ...en, one: 'Refund {id' }, es } },
    'one cannot be read in en',
  ],
])('reports %s', (_name, change, fault) => {
  const found = pageFaults([{ ...sound, ...change }], words);
  expect(found).toContainEqual(expect.stringContaining(`a/texts: ${fault}`));
});

test('reports an unused text', () => {
  expect(pageFaults([sound], '')).toEqual(['a/texts: nobody uses done of states']);
  // No page selects a state by variable, so `done` elsewhere means something else.
  const users = ['texts.title; texts.one({ id }); texts.states.todo;'];
  expect(pageFaults([{ ...sound, users }], words)).toEqual(['a/texts: nobody uses done of states']);
});

test('configures lint to report literal text in a page', async () => {
  const root = packageRoot();
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-lint-'));
  const config = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
  await writeFile(
    path.join(folder, 'biome.json'),
    JSON.stringify({ ...config, vcs: { enabled: false } }),
  );
  const pages = path.join(folder, 'src/portal');
  await mkdir(pages, { recursive: true });
  const lint = async (page: string) => {
    await writeFile(path.join(pages, 'page.tsx'), `export const page = () => <p>${page}</p>;\n`);
    const biome = path.join(root, 'node_modules/.bin/biome');
    const { stdout, stderr } = spawnSync(biome, ['lint', 'src'], { cwd: folder });
    return `${stdout}${stderr}`;
  };
  expect(await lint('{String(1)} · {String(2)}')).not.toContain('noJsxLiterals');
  expect(await lint('Refunds to approve')).toContain('noJsxLiterals');
  await rm(folder, { recursive: true });
});
