import { expect, test } from 'vitest';
import { withProgress } from '../../src/cli/progress.ts';
import { watchedBy, workDone, workExpected } from '../../src/platform/progress.ts';

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, isTTY, write: (text: string) => written.push(text) };
};

/** Returns the texts without the bar and the escape sequence that clears the line. */
const texts = (written: string[]) =>
  written.map((text) => text.replaceAll('\u001B[K', '').replace(/[█░]/g, '').trim());

test('draws progress on one line of a terminal, about 200 times at most', async () => {
  const seen = terminal(true);
  const answer = await withProgress(
    {},
    async () => {
      workExpected(4_000);
      for (let no = 0; no < 4_000; no += 1) workDone(1);
      return 'done';
    },
    seen,
  );
  expect(answer).toBe('done');
  const lines = texts(seen.written);
  expect(lines).toContain('0 %  0/4000');
  expect(lines.slice(-2)).toEqual(['100 %  4000/4000', '']);
  expect(lines.length).toBeLessThan(210);
  const bars = seen.written.slice(0, -1).map((text) => [...text.replace(/[^█░]/g, '')].length);
  expect(new Set(bars)).toEqual(new Set([30]));
});

test('counts finished work if the total is unknown', async () => {
  const seen = terminal(true);
  await withProgress({}, async () => workDone(1_200), seen);
  expect(texts(seen.written)).toEqual(['1200', '']);
});

test('ends the line when the work fails, and ignores unwatched work inside', async () => {
  const seen = terminal(true);
  const work = async () => {
    workExpected(1);
    await watchedBy(null, async () => {
      workExpected(50);
      workDone(50);
    });
    throw new Error('broken');
  };
  await expect(withProgress({}, work, seen)).rejects.toThrow('broken');
  expect(texts(seen.written)).toEqual(['0 %  0/1', '']);
});

test.each([
  ['a file or a pipe', {}, terminal(false)],
  ['a terminal of a command with --json', { json: true }, terminal(true)],
])('writes nothing to %s', async (_where, options, seen) => {
  await withProgress(
    options,
    async () => {
      workExpected(1);
      workDone(1);
    },
    seen,
  );
  expect(seen.written).toEqual([]);
});
