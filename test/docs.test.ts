import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTree } from '../src/cli/tree.ts';
import { packageRoot } from '../src/package-root.ts';
import { generatedDocuments } from '../tools/documents.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

const read = (file: string): Promise<string> => readFile(path.join(packageRoot(), file), 'utf8');

test('keeps generated documents in sync with schemas, states and configuration', async () => {
  for (const [file, text] of await generatedDocuments(database.url)) {
    expect(await read(file), `${file} is out of date: run npm run docs`).toBe(text);
  }
});

/** Maximum number of lines of a hand-written page. */
const longestPage = 200;
/** Pages written by `npm run pictures`. */
const written = new Set(['docs/reference/portal/README.md']);

/** Returns the anchors of a page: its headings as GitHub writes them, and explicit ones. */
function anchorsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return [...headings, ...[...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)];
}

describe('documentation', async () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  for await (const file of glob('docs/**/*.md', { cwd: packageRoot(), exclude: ['docs/site/**'] }))
    files.push(file);
  const scripts = (JSON.parse(await read('package.json')) as { scripts: Record<string, string> })
    .scripts;

  test.each(files)(
    '%s names only files, npm scripts, links and anchors that exist',
    async (file) => {
      const text = await read(file);
      const paths = [
        ...text.matchAll(/`((?:src|test|docs|bench|tools|migrations|bin)\/[\w./-]*)`/g),
      ];
      for (const [, named = ''] of paths) {
        expect(existsSync(path.join(packageRoot(), named)), `${file} names ${named}`).toBe(true);
      }
      for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
        expect(scripts, `${file} names npm run ${script}`).toHaveProperty([script]);
      }
      for (const [, target = '', anchor] of text.matchAll(
        /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g,
      )) {
        const full = target === '' ? file : path.join(path.dirname(file), target);
        expect(existsSync(path.join(packageRoot(), full)), `${file} links ${target}`).toBe(true);
        if (anchor === undefined || !full.endsWith('.md')) continue;
        expect(anchorsOf(await read(full)), `${file} links ${target}#${anchor}`).toContain(anchor);
      }
    },
  );

  test.each(files.filter((file) => file.startsWith('docs/') && !written.has(file)))(
    '%s has at most 200 lines, not counting generated parts',
    async (file) => {
      const text = await read(file);
      const own = text.replace(/<!-- generated [\w-]+ -->[\s\S]*?<!-- end -->/g, '');
      expect(own.split('\n').length - 1).toBeLessThanOrEqual(longestPage);
    },
  );

  test('README.md has at most 150 lines', async () => {
    expect((await read('README.md')).split('\n').length - 1).toBeLessThanOrEqual(150);
  });

  test.each(files)('%s names only commands and options that exist', async (file) => {
    const program = await commandTree();
    for (const [, line = ''] of (await read(file)).matchAll(/npx recaudo ([a-z][^`\n|&;]*)/g)) {
      let command = program;
      for (const word of line.split(/\s+/)) {
        const next = command.commands.find((one) => one.name() === word);
        if (!next) break;
        command = next;
      }
      expect(command, `${file} names recaudo ${line}`).not.toBe(program);
      const options = command.options.map(({ long }) => long);
      for (const [option] of line.matchAll(/--[a-z-]+/g)) {
        expect(options, `${file} names recaudo ${line}`).toContain(option);
      }
    }
  });
});
