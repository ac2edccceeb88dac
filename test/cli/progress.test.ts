import { expect, test } from 'vitest';
import { progressBar } from '../../src/cli/progress.ts';

const watched = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
};

test('a terminal sees how far it is, on one line', () => {
  const { written, stream } = watched(true);
  const bar = progressBar(4, stream);
  for (const done of [0, 1, 4]) bar.show(done);
  bar.end();
  expect(written.map((text) => text.replace(/[█░]/g, ''))).toEqual([
    '\r 0 %  0/4',
    '\r 25 %  1/4',
    '\r 100 %  4/4',
    '\n',
  ]);
  expect(
    new Set(written.slice(0, 3).map((text) => [...text.replace(/[^█░]/g, '')].length)),
  ).toEqual(new Set([30]));
});

test('a file or a pipe gets nothing', () => {
  const { written, stream } = watched(false);
  const bar = progressBar(4, stream);
  bar.show(4);
  bar.end();
  expect(written).toEqual([]);
});
