import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import {
  commentsOf,
  type Passage,
  proseFaults,
  sentencesOf,
  testNamesOf,
  textsOf,
} from '../../tools/prose-rules.ts';

const textsIn = (passages: readonly Passage[]): string[] => passages.map(({ text }) => text);
const faultsIn = (passages: readonly Passage[]): string[] => passages.flatMap(proseFaults);

describe('rules', () => {
  test.each(['told', 'anew', 'says again', 'Whoever', 'his', 'He'])(
    'flags the word %s in every kind of text',
    (word) => {
      for (const kind of ['comment', 'sentence', 'text', 'test name'] as const)
        expect(proseFaults({ kind, line: 1, text: `A user ${word} it.` })).toEqual([
          expect.stringContaining(`"${word}"`),
        ]);
    },
  );

  test('ignores names in backquotes and longer words that contain a flagged one', () => {
    const text = 'The `told` column of the history; https://example.org/he/told';
    expect(proseFaults({ kind: 'comment', line: 1, text })).toEqual([]);
  });

  test.each(['What', 'who', 'Whose', 'Whether', 'Where', 'How'])(
    'flags comments and test names that begin with %s, not sentences and texts',
    (first) => {
      const text = `${first} it is.`;
      expect(proseFaults({ kind: 'comment', line: 1, text })).toHaveLength(1);
      expect(proseFaults({ kind: 'test name', line: 1, text })).toHaveLength(1);
      expect(proseFaults({ kind: 'sentence', line: 1, text })).toEqual([]);
      expect(proseFaults({ kind: 'text', line: 1, text })).toEqual([]);
    },
  );

  test('flags a sentence of 41 words, not one of 40', () => {
    const sentence = (words: number): Passage[] => sentencesOf(`${'word '.repeat(words)}\n`);
    expect(faultsIn(sentence(41))).toEqual(['sentence of 41 words: at most 40']);
    expect(faultsIn(sentence(40))).toEqual([]);
  });
});

describe('readers', () => {
  test('reads blocks, consecutive line comments and comments after code, but not strings', () => {
    const source = [
      '/**',
      ' * First',
      ' * block.',
      ' */',
      "const a = 'http://no // comment'; // after code",
      '// two',
      '// lines',
      'const b = 1;',
      '  {/* in JSX */}',
    ].join('\n');
    expect(textsIn(commentsOf(source))).toEqual([
      'First\nblock.',
      'after code',
      'two\nlines',
      'in JSX',
    ]);
    expect(commentsOf(source).map(({ line }) => line)).toEqual([1, 5, 6, 9]);
  });

  test('reads names of tests, groups and tables of cases', () => {
    const source = [
      "test('one', () => {});",
      "describe('two', () => {});",
      "test.each([{ a: f(1) }])('three', () => {});",
      'test(`four`, () => {});',
    ].join('\n');
    expect(textsIn(testNamesOf(source)).toSorted()).toEqual(['four', 'one', 'three', 'two']);
  });

  test('reads sentences of pages without code and generated parts', () => {
    const page =
      '# Title\n\nOne. Two\ngoes on!\n\n```\ncode\n```\n<!-- generated x -->\nrow\n<!-- end -->\n- item\n- other\n\n| a. b | c |\n';
    expect(textsIn(sentencesOf(page))).toEqual([
      '# Title',
      'One.',
      'Two\ngoes on!',
      '- item',
      '- other',
      '| a.',
      'b |',
      'c |',
    ]);
  });

  test('reads texts of catalogs, not their keys', () => {
    expect(textsIn(textsOf('{ "told": "A \\"b\\"", "x": { "y": "C" } }'))).toEqual(['A "b"', 'C']);
  });
});

describe('the check', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'prose-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function check(files: Record<string, string>): Promise<{ code: number; stderr: string }> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
    const tool = path.join(packageRoot(), 'tools/prose.ts');
    return await new Promise((resolve) => {
      execFile(process.execPath, [tool, root], (error, _stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, stderr });
      });
    });
  }

  const planted = {
    'src/a.ts': '/** What it pays. */\n',
    'src/texts.en.json': '{ "a": "You are told." }\n',
    'test/a.test.ts': ['test', "('pays him', () => {});\n"].join(''),
    'docs/a.md': 'The user changes his key.\n',
  };

  test('fails on a planted violation in each kind of file', async () => {
    const { code, stderr } = await check(planted);
    expect(code).toBe(1);
    for (const file of Object.keys(planted)) expect(stderr).toContain(`${file}:1: `);
  });

  test('passes clean files', async () => {
    expect(await check({ 'src/a.ts': '/** Pays. */\n' })).toEqual({ code: 0, stderr: '' });
  });
});
